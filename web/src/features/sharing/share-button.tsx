import { Share2 } from 'lucide-react'
import { useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ShareSheet } from './share-sheet.tsx'

interface ShareButtonProps {
  revelation: Revelation
}

/** Opens the ways to share. */
export function ShareButton({ revelation }: ShareButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={`Partager ${revelation.title}`}
        icon={<Share2 aria-hidden="true" className="size-5" />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <ShareSheet revelation={revelation} onClose={() => setOpen(false)} />}
    </>
  )
}
