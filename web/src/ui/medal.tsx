import { Check, type LucideIcon } from 'lucide-react'
import { formatCount } from '#web/lib/format.ts'
import { classNames } from './class-names.ts'

interface MedalProps {
  icon: LucideIcon
  title: string
  isEarned: boolean
  /** How far one is, of how many it takes. */
  count: number
  threshold: number
  /** What is counted, after its number. */
  unit: string
}

/** A medal of wax once it is earned; before, its outline and how far one is. One item of a list. */
export function Medal({ icon: Icon, title, isEarned, count, threshold, unit }: MedalProps) {
  return (
    <li className="flex flex-col items-center gap-1 text-center">
      <span
        className={classNames(
          'relative inline-flex size-16 items-center justify-center rounded-full',
          isEarned
            ? 'bg-linear-to-br from-[#d2495e] to-[#8a1a2c] text-[#ffe9d2] shadow-soft'
            : 'border-2 border-line-strong border-dashed text-ink-soft',
        )}
      >
        <Icon aria-hidden="true" className="size-7" />
        {isEarned && (
          <span className="absolute -right-0.5 -bottom-0.5 inline-flex size-6 items-center justify-center rounded-full border-2 border-surface bg-leaf text-on-leaf">
            <Check aria-hidden="true" className="size-3.5" />
          </span>
        )}
      </span>
      <span className="mt-1 text-balance font-semibold text-sm leading-tight">{title}</span>
      <span className="text-ink-soft text-xs">
        {isEarned ? (
          <>
            <span className="sr-only">Obtenu&#8239;: </span>
            {formatCount(threshold)} {unit}
          </>
        ) : (
          `${formatCount(count)} sur ${formatCount(threshold)} ${unit}`
        )}
      </span>
    </li>
  )
}
