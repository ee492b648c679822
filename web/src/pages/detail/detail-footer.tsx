import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { HeartToggle } from '#web/features/reactions/heart-toggle.tsx'
import { ReportButton } from '#web/features/reports/report-button.tsx'
import { CardCounts } from '#web/features/revelations/card-counts.tsx'
import { ShareButton } from '#web/features/sharing/share-button.tsx'
import { TalkPanel } from './talk-panel.tsx'

interface DetailFooterProps {
  revelation: Revelation
  /** What its author may do. */
  actions: ReactNode
}

/** Under a revelation: the heart, the figures, the ways to share, and what people say. */
export function DetailFooter({ revelation, actions }: DetailFooterProps) {
  const { user } = useSession()
  const { state } = useLocation()
  const wantsComments = (state as { opens?: string } | null)?.opens === 'comments'
  const [isOpen, setOpen] = useState(wantsComments)
  const [wasOpened, setOpened] = useState(wantsComments)
  const hasHeart = user !== null && revelation.can.react
  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line border-y py-1.5">
        <div className="flex items-center">
          {hasHeart && <HeartToggle revelation={revelation} />}
          <CardCounts revelation={revelation} followsHeart={hasHeart} />
        </div>
        <div className="-mr-2 flex">
          <ShareButton revelation={revelation} />
          {actions}
          <ReportButton revelation={revelation} />
        </div>
      </div>
      <TalkPanel
        revelation={revelation}
        isOpen={isOpen}
        wasOpened={wasOpened}
        onToggle={() => {
          setOpen(!isOpen)
          setOpened(true)
        }}
      />
    </>
  )
}
