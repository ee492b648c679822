import { useEffect } from 'react'
import { paths } from '#web/app/paths.ts'
import { RevelationSource } from '#web/features/revelations/revelations.queries.ts'
import type { PageFirstScreen } from '#web/lib/first-screen.ts'
import { markVisited } from '#web/lib/first-visit.ts'
import { DemoBanner } from './demo-banner.tsx'
import { DemoEnd } from './demo-end.tsx'
import { DemoHero } from './demo-hero.tsx'
import { DemoSamples } from './demo-samples.tsx'
import { DemoSteps } from './demo-steps.tsx'
import { useSamples } from './use-samples.ts'

export const firstScreen: PageFirstScreen = {
  head: () => ({
    canonical: paths.demo,
    description:
      'Voyez une lettre scellée s’ouvrir sous vos yeux, en moins d’une minute, et comment sceller la vôtre.',
  }),
}

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
