import type { Outcome } from '#contract/predictions.ts'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { OUTCOME_WORDS } from './outcome-words.ts'

interface OutcomeBadgeProps {
  outcome: Outcome
  className?: string
}

/** What became of a prediction, in one word. */
export function OutcomeBadge({ outcome, className }: OutcomeBadgeProps) {
  const { label, icon: Icon, ink } = OUTCOME_WORDS[outcome]
  return (
    <Badge
      icon={<Icon aria-hidden="true" className={`size-4 ${ink}`} />}
      className={classNames('border-line-strong! text-ink! text-sm!', className)}
    >
      {label}
    </Badge>
  )
}
