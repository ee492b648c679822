import { Share2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon-sheet.tsx'

const ShareSheet = lazy(async () => ({ default: (await import('./share-sheet.tsx')).ShareSheet }))

interface ShareButtonProps {
  revelation: Revelation
}

export function ShareButton({ revelation }: ShareButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={`Partager ${revelation.title}`}
        icon={<Icon icon={Share2} className="size-5" />}
        aria-haspopup="dialog"
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
