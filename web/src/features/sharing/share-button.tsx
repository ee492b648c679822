import { Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

const loadSheet = () => import('./share-sheet.tsx')
const ShareSheet = lazyPart(loadSheet, 'ShareSheet')

interface ShareButtonProps {
  revelation: Revelation
}

/** Opens the ways to share; their code comes when somebody reaches for them. */
export function ShareButton({ revelation }: ShareButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={`Partager ${revelation.title}`}
        icon={<Share2 aria-hidden="true" className="size-5" />}
        aria-haspopup="dialog"
        onPointerEnter={loadSheet}
        onFocus={loadSheet}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <ShareSheet revelation={revelation} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
