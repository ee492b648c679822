import type { EntryKind } from './day-entries.ts'
import { KindIcon } from './kind-icon.tsx'
import { KIND_WORDS } from './kind-words.ts'

const KINDS = Object.keys(KIND_WORDS) as EntryKind[]

/** What the drawings of the days mean. */
export function Legend() {
  return (
    <ul aria-label="Légende" className="flex flex-wrap gap-x-4 gap-y-1.5 text-ink-soft text-sm">
      {KINDS.map((kind) => (
        <li key={kind} className="inline-flex items-center gap-1.5">
          <KindIcon kind={kind} className="size-3.5" />
          {KIND_WORDS[kind]}
        </li>
      ))}
    </ul>
  )
}
