import { useQuery } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import { hasFeature } from '#contract/subscriptions.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { StationeryChoice } from '#web/features/revelations/stationery-section.tsx'
import { PlansLink } from './plans-link.tsx'
import { subscriptionQuery } from './subscriptions.queries.ts'

/** The papers and inks that the plan of the author gives; the person may come back from choosing one in another tab. */
export function PlanStationery({ form }: { form: UseFormReturn<RevelationDraft> }) {
  const { data: subscription } = useQuery({ ...subscriptionQuery, staleTime: 0 })
  return (
    <StationeryChoice
      form={form}
      mayChoose={subscription && hasFeature(subscription.subscription_type, 'themes')}
      plansLink={<PlansLink inNewTab />}
    />
  )
}
