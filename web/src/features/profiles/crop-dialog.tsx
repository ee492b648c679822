import { ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import Cropper, { type Area, type Point } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { cutPicture, type Picture, type Square } from './picture.ts'

interface CropDialogProps {
  picture: Picture
  onCut: (file: File) => void
  onClose: () => void
}

/** Chooses the square of a picture. */
export function CropDialog({ picture, onCut, onClose }: CropDialogProps) {
  const [square, setSquare] = useState<Square>()
  const [isCutting, setCutting] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const cut = async () => {
    if (!square) return
    setCutting(true)
    const file = await cutPicture(picture, square)
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
          <Button busy={isCutting} disabled={!square} onClick={cut}>
            Utiliser cette photo
          </Button>
        </>
      }
    >
      <CropArea picture={picture} onChange={setSquare} />
      {hasFailed && (
        <Notice tone="error" className="mt-4">
          Cette image n’a pas pu être recadrée. Choisissez-en une plus petite.
        </Notice>
      )}
    </Dialog>
  )
}

const ZOOM_MAX = 5
const KEY_ZOOM = 1.15
/** Negative: an arrow moves the frame over the picture, and not the picture under the frame. */
const KEY_STEP_PX = -16
/** Of what the library grows by for each notch of a wheel, which is half of the picture. */
const WHEEL_SPEED = 0.3

const FRAME_STYLE = {
  cropAreaStyle: { border: '2px solid rgb(255 255 255 / 0.9)', color: 'rgb(6 9 25 / 0.55)' },
}

interface CropAreaProps {
  picture: Picture
  onChange: (square: Square) => void
}

function CropArea({ picture, onChange }: CropAreaProps) {
  const id = useId()
  const [crop, setCrop] = useState<Point>({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const zoomTo = (wanted: number) => {
    const next = Math.min(ZOOM_MAX, Math.max(1, wanted))
    setZoom(next)
    // The library grows a picture from its own middle: what is in the middle of the frame stays there.
    setCrop({ x: (crop.x * next) / zoom, y: (crop.y * next) / zoom })
  }
  const cropper = useRef<Cropper>(null)
  const growTo = (next: number) => {
    // So it does between two fingers, and forgets how far the picture was moved (its issue 579).
    const start = cropper.current?.dragStartCrop
    if (start) {
      start.x *= next / zoom
      start.y *= next / zoom
    }
    setZoom(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === '+' || event.key === '=') zoomTo(zoom * KEY_ZOOM)
    if (event.key === '-') zoomTo(zoom / KEY_ZOOM)
  }
  return (
    <>
      <div className="relative mx-auto mt-3 aspect-square w-full max-w-80 overflow-hidden rounded-card bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2">
        <Cropper
          ref={cropper}
          image={picture.image.src}
          aspect={1}
          cropShape="round"
          showGrid={false}
          objectFit={picture.width < picture.height ? 'horizontal-cover' : 'vertical-cover'}
          crop={crop}
          onCropChange={setCrop}
          zoom={zoom}
          maxZoom={ZOOM_MAX}
          zoomSpeed={WHEEL_SPEED}
          onZoomChange={growTo}
          onCropAreaChange={(shares) => onChange(squareOf(picture, shares))}
          keyboardStep={KEY_STEP_PX}
          cropperProps={{
            role: 'group',
            'aria-label': 'Cadre de la photo',
            'aria-describedby': id,
            onKeyDownCapture: onKeyDown,
          }}
          style={FRAME_STYLE}
          classes={{
            containerClassName: 'cursor-grab! active:cursor-grabbing!',
            cropAreaClassName: 'outline-none!',
          }}
          // Its stylesheet comes with the build.
          disableAutomaticStylesInjection
        />
      </div>
      <p id={id} className="mt-3 text-center text-ink-soft text-sm">
        <span className="hidden pointer-coarse:inline">
          Glissez pour déplacer, pincez pour agrandir.
        </span>
        <span className="pointer-coarse:hidden">
          Glissez pour déplacer, la molette agrandit. Au clavier&#8239;: les flèches, + et −.
        </span>
      </p>
      <div className="mx-auto mt-2 flex max-w-80 items-center gap-3">
        <ZoomOut aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
        <input
          type="range"
          aria-label="Zoom"
          aria-valuetext={`${Math.round(zoom * 100)}\u00A0%`}
          min={1}
          max={ZOOM_MAX}
          step={0.01}
          value={zoom}
          onChange={(event) => zoomTo(event.target.valueAsNumber)}
          className="h-11 min-w-0 flex-1 accent-wax"
        />
        <ZoomIn aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
      </div>
    </>
  )
}

/** From hundredths of the picture, which hold for a drawing without a size of its own too. */
function squareOf({ width, height }: Picture, shares: Area): Square {
  return {
    left: (shares.x * width) / 100,
    top: (shares.y * height) / 100,
    side: (shares.width * width) / 100,
  }
}
