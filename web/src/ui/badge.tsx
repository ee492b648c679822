import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type BadgeTone = 'plain' | 'ember' | 'leaf' | 'wax'

const TONES: Record<BadgeTone, string> = {
  plain: 'badge-plain',
  ember: 'bg-ember text-on-ember',
  leaf: 'bg-leaf text-on-leaf',
  wax: 'bg-wax text-on-wax',
}

interface BadgeProps {
  tone?: BadgeTone
  icon?: ReactNode
  className?: string
  children: ReactNode
}

export function Badge({ tone = 'plain', icon, className, children }: BadgeProps) {
  return (
    <span className={classNames('badge', TONES[tone], className)}>
      {icon}
      {children}
    </span>
  )
}

/** How many wait, beside what leads to them, from `max` on `99+`; the words are for those who do not see it. */
export function CountBadge({ count, max = 99 }: { count: number; max?: number }) {
  return (
    <span
      aria-hidden="true"
      className="tabular-digits inline-flex h-5.5 min-w-5.5 items-center justify-center rounded-full bg-wax px-1.5 font-bold text-on-wax text-xs"
    >
      {count < max ? count : `${max}+`}
    </span>
  )
}
