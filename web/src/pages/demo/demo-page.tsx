import { useEffect } from 'react'
import { RevelationSource } from '#web/features/revelations/revelations.queries.ts'
import { markVisited } from '#web/lib/first-visit.ts'
import { DemoBanner } from './demo-banner.tsx'
import { DemoEnd } from './demo-end.tsx'
import { DemoHero } from './demo-hero.tsx'
import { DemoSamples } from './demo-samples.tsx'
import { DemoSteps } from './demo-steps.tsx'
import { useSamples } from './use-samples.ts'

/** What this place is, shown to whoever comes for the first time: a letter opens while one looks. */
export function DemoPage() {
  const { live, samples, run, refresh, again } = useSamples()
  // Whoever saw it is not led here again, whichever way they came.
  useEffect(markVisited, [])
  return (
    <>
      <DemoBanner />
      <DemoHero live={live} />
      <RevelationSource value={refresh}>
        <DemoSamples samples={samples} run={run} onAgain={again} />
      </RevelationSource>
      <DemoSteps />
      <DemoEnd />
    </>
  )
}
