import { Minus, Plus, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useReturnFocus } from '#web/lib/focus.ts'
import { formatTenth } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { useZoom } from './use-zoom.ts'

interface ImageViewerProps {
  title: string
  source: string
  onError: () => void
  onClose: () => void
}

/** One image on the whole screen, with zoom. */
export function ImageViewer({ title, source, onError, onClose }: ImageViewerProps) {
  const { setContainer, image, view, isAnimated, zoom, handlers, onKeyDown, step } =
    useZoom(onClose)
  const returnFocus = useReturnFocus()
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-veil fixed inset-0 z-50 bg-black" />
        <Dialog.Content
          {...returnFocus}
          aria-describedby={undefined}
          className="theme-night fixed inset-0 z-50 text-white focus-visible:outline-none"
          onKeyDown={onKeyDown}
        >
          <Dialog.Title className="sr-only">Image de la révélation {title}</Dialog.Title>
          <div
            ref={setContainer}
            className={classNames(
              'absolute inset-0 flex touch-none select-none items-center justify-center overflow-hidden',
              view.scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in',
            )}
            {...handlers}
          >
            <img
              ref={image}
              src={source}
              alt={title}
              draggable={false}
              onError={onError}
              className={classNames(
                'max-h-full max-w-full object-contain',
                isAnimated && 'transition-transform duration-200',
              )}
              style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
            />
          </div>
          <p role="status" className="sr-only">
            {view.scale > 1 && `Agrandie ${formatTenth(view.scale)} fois`}
          </p>
          <div className="absolute top-[max(0.75rem,env(safe-area-inset-top))] right-3 flex gap-2">
            <ViewerButton
              label="Réduire"
              icon={<Minus aria-hidden="true" className="size-6" />}
              disabled={view.scale <= 1}
              onClick={() => zoom(1 / step)}
            />
            <ViewerButton
              label="Agrandir"
              icon={<Plus aria-hidden="true" className="size-6" />}
              onClick={() => zoom(step)}
            />
            <ViewerButton
              label="Fermer l’image"
              icon={<X aria-hidden="true" className="size-6" />}
              onClick={onClose}
            />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function ViewerButton(props: Parameters<typeof IconButton>[0]) {
  return (
    <IconButton
      {...props}
      className="rounded-full bg-black/60 text-white hover:bg-white/20 hover:text-white"
    />
  )
}
