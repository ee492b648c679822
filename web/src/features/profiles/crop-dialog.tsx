import { ZoomIn, ZoomOut } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { sideOf, wholeSquare, ZOOM_MAX, zoomed } from './crop-square.ts'
import { cutPicture, type Picture } from './read-picture.ts'
import { useCropGestures } from './use-crop-gestures.ts'

interface CropDialogProps {
  picture: Picture
  onCut: (file: File) => void
  onClose: () => void
}

/** Chooses the square of a picture that becomes one’s face. */
export function CropDialog({ picture, onCut, onClose }: CropDialogProps) {
  const [crop, setCrop] = useState(() => wholeSquare(picture))
  const [isCutting, setCutting] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const cut = async () => {
    setCutting(true)
    const file = await cutPicture(picture, crop)
    setCutting(false)
    setFailed(!file)
    if (file) onCut(file)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Recadrer la photo"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Annuler
          </Button>
          <Button busy={isCutting} onClick={cut}>
            Utiliser cette photo
          </Button>
        </>
      }
    >
      <CropStage picture={picture} crop={crop} onChange={setCrop} />
      {hasFailed && (
        <Notice tone="error" className="mt-4">
          Cette image n’a pas pu être recadrée. Choisissez-en une plus petite.
        </Notice>
      )}
    </Dialog>
  )
}

interface CropStageProps {
  picture: Picture
  crop: ReturnType<typeof wholeSquare>
  onChange: (crop: ReturnType<typeof wholeSquare>) => void
}

function CropStage({ picture, crop, onChange }: CropStageProps) {
  const id = useId()
  const { stage, handlers } = useCropGestures({ size: picture, crop, onChange })
  const side = sideOf(picture, crop)
  const share = (pixels: number) => `${(pixels / side) * 100}%`
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a stage one moves a picture on has no element of its own */}
      <div
        ref={stage}
        {...handlers}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows and + − act on it
        tabIndex={0}
        aria-label="Cadre de la photo"
        aria-describedby={id}
        className="relative mx-auto mt-3 aspect-square w-full max-w-80 cursor-grab touch-none select-none overflow-hidden rounded-card bg-sunken active:cursor-grabbing"
      >
        <img
          src={picture.image.src}
          alt=""
          draggable={false}
          className="pointer-events-none absolute max-w-none"
          style={{
            width: share(picture.width),
            height: share(picture.height),
            left: share(side / 2 - crop.centerX),
            top: share(side / 2 - crop.centerY),
          }}
        />
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 rounded-full border-2 border-white/90 shadow-[0_0_0_999px_rgb(6_9_25/0.55)]"
        />
      </div>
      <p id={id} className="mt-3 text-center text-ink-soft text-sm">
        <span className="hidden pointer-coarse:inline">
          Glissez pour déplacer, pincez pour agrandir.
        </span>
        <span className="pointer-coarse:hidden">
          Glissez pour déplacer, la molette agrandit. Au clavier&nbsp;: les flèches, + et −.
        </span>
      </p>
      <div className="mx-auto mt-2 flex max-w-80 items-center gap-3">
        <ZoomOut aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
        <input
          type="range"
          aria-label="Zoom"
          aria-valuetext={`${Math.round(crop.zoom * 100)}\u00A0%`}
          min={1}
          max={ZOOM_MAX}
          step={0.01}
          value={crop.zoom}
          onChange={(event) => onChange(zoomed(picture, crop, event.target.valueAsNumber))}
          className="h-11 min-w-0 flex-1 accent-wax"
        />
        <ZoomIn aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
      </div>
    </>
  )
}
