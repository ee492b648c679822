import type { Plan } from '#contract/subscriptions.ts'
import { classNames } from '#web/ui/class-names.ts'
import { PLAN_LOOKS, PLAN_NAMES } from './plan-words.ts'

export function PlanBadge({ plan }: { plan: Plan }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center whitespace-nowrap rounded-full px-3 py-1.5 font-semibold text-sm leading-none',
        PLAN_LOOKS[plan],
      )}
    >
      {PLAN_NAMES[plan]}
    </span>
  )
}
