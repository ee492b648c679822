import type { Plan } from '#contract/subscriptions.ts'
import { Badge } from '#web/ui/badge.tsx'
import { PLAN_LOOKS, PLAN_NAMES } from './plan-words.ts'

export function PlanBadge({ plan }: { plan: Plan }) {
  return <Badge className={`border-0! ${PLAN_LOOKS[plan]}`}>{PLAN_NAMES[plan]}</Badge>
}
