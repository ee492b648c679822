import { lazy, type ReactNode, Suspense } from 'react'
import { useLocation } from 'react-router'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { HeartToggle } from '#web/features/reactions/reaction-buttons.tsx'
import { CardCounts } from '#web/features/revelations/card-details.tsx'
import { ShareButton } from '#web/features/sharing/share-button.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { NamedPart, type PartName, useIsNamed } from './named-part.tsx'

const Discussion = lazy(async () => ({ default: (await import('./discussion.tsx')).Discussion }))

const DISCUSSION: PartName[] = ['commentaires', 'reactions']

interface DetailFooterProps {
  revelation: Revelation
  /** The actions of its author. */
  actions: ReactNode
}

/** Under a revelation: heart, counts, share and discussion. */
export function DetailFooter({ revelation, actions }: DetailFooterProps) {
  const { user } = useSession()
  const { state } = useLocation()
  const wantsComments = (state as { opens?: string } | null)?.opens === 'comments'
  const isNamed = useIsNamed(DISCUSSION)
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
        </div>
      </div>
      <NamedPart names={DISCUSSION}>
        <Disclosure title="Réactions et commentaires" defaultOpen={wantsComments || isNamed}>
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <Discussion revelation={revelation} />
          </Suspense>
        </Disclosure>
      </NamedPart>
    </>
  )
}
