import { PenLine } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'

/** A sheet that waits for its first word. */
export function WriteLine() {
  return (
    <Link
      to={paths.create}
      className="theme-paper flex min-h-13 lg:min-h-28 items-center gap-3 rounded-card border border-line bg-surface px-4 font-serif text-ink-soft text-lg shadow-soft transition-colors hover:text-ink"
    >
      <PenLine aria-hidden="true" className="size-5 shrink-0 text-wax-ink" />
      Écrire une lettre…
    </Link>
  )
}
