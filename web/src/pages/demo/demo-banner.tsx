import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/app/paths.ts'

/** Says that nothing here is real, and the way to what is. */
export function DemoBanner() {
  return (
    <aside
      aria-label="Démonstration"
      className="sky-night border-line border-b bg-surface text-ink text-sm"
    >
      <div className="content flex min-h-12 items-center justify-between gap-3">
        <p className="py-2 leading-snug">
          <strong className="font-semibold">Démonstration</strong>
          <span className="text-ink-soft"> · tout y est inventé</span>
        </p>
        <Link
          to={paths.home}
          className="-mr-2 inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-field px-2 font-semibold underline decoration-line-strong underline-offset-4 hover:decoration-current"
        >
          <span className="sm:hidden">Accueil</span>
          <span className="max-sm:hidden">Retour à l’accueil</span>
          <ArrowRight aria-hidden="true" className="size-4" />
        </Link>
      </div>
    </aside>
  )
}
