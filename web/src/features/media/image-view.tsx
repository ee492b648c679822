import { Maximize2, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { type RenewUrl, useFreshSource } from './use-fresh-source.ts'

interface ImageViewProps {
  title: string
  url: string
  renew: RenewUrl
}

/** An image at reading width, and the whole screen when it is touched. One that cannot be read is hidden. */
export function ImageView({ title, url, renew }: ImageViewProps) {
  const { source, freshen } = useFreshSource(url, renew)
  const [isHidden, setHidden] = useState(false)
  if (isHidden) return null
  const image = (className: string) => (
    <img
      src={source}
      alt={title}
      className={className}
      onError={async () => setHidden(!(await freshen()))}
    />
  )
  return (
    <Dialog.Root>
      <Dialog.Trigger
        aria-label="Voir l’image en plein écran"
        className="group relative block w-full overflow-hidden rounded-field bg-sunken"
      >
        {image('mx-auto max-h-[75dvh] w-auto max-w-full object-contain')}
        <span className="absolute right-3 bottom-3 inline-flex size-11 items-center justify-center rounded-full bg-black/60 text-white group-hover:bg-black/80">
          <Maximize2 aria-hidden="true" className="size-5" />
        </span>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-veil fixed inset-0 z-50 bg-black/95" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-0 z-50 flex items-center justify-center"
        >
          <Dialog.Title className="sr-only">Image de la révélation {title}</Dialog.Title>
          <Dialog.Close className="absolute inset-0 flex cursor-zoom-out items-center justify-center">
            {image('max-h-full max-w-full object-contain')}
            <span className="sr-only">Fermer</span>
          </Dialog.Close>
          <Dialog.Close asChild>
            <IconButton
              label="Fermer l’image"
              icon={<X aria-hidden="true" className="size-6" />}
              className="absolute top-3 right-3 rounded-full bg-black/60 text-white hover:bg-white/20 hover:text-white"
            />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
