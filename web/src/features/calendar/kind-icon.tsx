import { classNames } from '#web/ui/class-names.ts'
import { type EntryKind, KIND_LABELS } from './day-entries.ts'

// One path each, after Lucide’s icons, since a month may render a hundred of them; shapes differ, not only colours.
const SHAPES: Record<EntryKind, { path: string; isFilled: boolean; color: string }> = {
  sealed: {
    path: 'M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401',
    isFilled: true,
    color: 'text-ink',
  },
  opened: {
    path: 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0M12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M6.3 17.7l-1.4 1.4M19.1 4.9l-1.4 1.4',
    isFilled: true,
    color: 'text-ember-ink',
  },
  birthday: {
    path: 'M20 21v-8a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v8M4 16s.5-1 2-1 2.5 2 4 2 2.5-2 4-2 2.5 2 4 2 2-1 2-1M2 21h20M7 8v3M12 8v3M17 8v3M7 4h.01M12 4h.01M17 4h.01',
    isFilled: false,
    color: 'text-wax-ink',
  },
  anniversary: {
    path: 'M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5',
    isFilled: true,
    color: 'text-wax-ink',
  },
  holiday: {
    path: 'M4 22V4a1 1 0 0 1 .4-.8A6 6 0 0 1 8 2c3 0 5 2 7.333 2q2 0 3.067-.8A1 1 0 0 1 20 4v10a1 1 0 0 1-.4.8A6 6 0 0 1 16 16c-3 0-5-2-8-2a6 6 0 0 0-4 1.528',
    isFilled: true,
    color: 'text-leaf-ink',
  },
  other: {
    path: 'M11.525 2.295a.53.53 0 0 1 .95 0l2.31 4.679a2.123 2.123 0 0 0 1.595 1.16l5.166.756a.53.53 0 0 1 .294.904l-3.736 3.638a2.123 2.123 0 0 0-.611 1.878l.882 5.14a.53.53 0 0 1-.771.56l-4.618-2.428a2.122 2.122 0 0 0-1.973 0L6.396 21.01a.53.53 0 0 1-.77-.56l.881-5.139a2.122 2.122 0 0 0-.611-1.879L2.16 9.795a.53.53 0 0 1 .294-.906l5.165-.755a2.122 2.122 0 0 0 1.597-1.16z',
    isFilled: true,
    color: 'text-ink-soft',
  },
}

interface KindIconProps {
  kind: EntryKind
  className?: string
}

/** A moon for what is sealed, a sun for what is open, and a shape for each type of event. */
export function KindIcon({ kind, className }: KindIconProps) {
  const { path, isFilled, color } = SHAPES[kind]
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classNames('shrink-0', color, className)}
    >
      <path d={path} />
    </svg>
  )
}

const KINDS = Object.keys(KIND_LABELS) as EntryKind[]

export function Legend() {
  return (
    <ul aria-label="Légende" className="flex flex-wrap gap-x-4 gap-y-1.5 text-ink-soft text-sm">
      {KINDS.map((kind) => (
        <li key={kind} className="inline-flex items-center gap-1.5">
          <KindIcon kind={kind} className="size-3.5" />
          {KIND_LABELS[kind]}
        </li>
      ))}
    </ul>
  )
}
