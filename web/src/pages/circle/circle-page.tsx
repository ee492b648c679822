import { CircleFigures } from './circle-figures.tsx'
import { CircleHero } from './circle-hero.tsx'
import { CircleTabs } from './circle-tabs.tsx'
import { QuickActions } from './quick-actions.tsx'
import { ThumbBar } from './thumb-bar.tsx'
import { useCircleTab } from './use-circle-tab.ts'

export function CirclePage() {
  const { tab, openTab } = useCircleTab()
  return (
    <>
      <CircleHero />
      <div className="content">
        <CircleFigures />
        <QuickActions />
        <CircleTabs tab={tab} onOpen={openTab} />
        <ThumbBar tab={tab} />
      </div>
    </>
  )
}
