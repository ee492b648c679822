import { ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import {
  type Crop,
  cutPicture,
  moved,
  type Picture,
  type Size,
  sideOf,
  wholeSquare,
  ZOOM_MAX,
  zoomed,
} from './picture.ts'

interface CropDialogProps {
  picture: Picture
  onCut: (file: File) => void
  onClose: () => void
}

/** Chooses the square of a picture. */
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
      <CropArea picture={picture} crop={crop} onChange={setCrop} />
      {hasFailed && (
        <Notice tone="error" className="mt-4">
          Cette image n’a pas pu être recadrée. Choisissez-en une plus petite.
        </Notice>
      )}
    </Dialog>
  )
}

interface CropAreaProps {
  picture: Picture
  crop: ReturnType<typeof wholeSquare>
  onChange: (crop: ReturnType<typeof wholeSquare>) => void
}

function CropArea({ picture, crop, onChange }: CropAreaProps) {
  const id = useId()
  const { area, handlers } = useCropGestures({ size: picture, crop, onChange })
  const side = sideOf(picture, crop)
  const share = (pixels: number) => `${(pixels / side) * 100}%`
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a picture moved within a frame has no element of its own */}
      <div
        ref={area}
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

const KEY_SHARE = 0.05
const KEY_ZOOM = 1.15
const WHEEL_ZOOM = 0.0015

interface Point {
  x: number
  y: number
}

interface CropGestures {
  size: Size
  crop: Crop
  onChange: (crop: Crop) => void
}

/** Drag with one finger or the mouse, pinch with two, zoom with the wheel, arrows and + − on a keyboard. */
function useCropGestures({ size, crop, onChange }: CropGestures) {
  const area = useRef<HTMLDivElement>(null)
  const fingers = useRef(new Map<number, Point>())
  const current = useRef(crop)
  current.current = crop
  const change = (next: Crop) => {
    // Two fingers move within one frame: the second starts where the first has led.
    current.current = next
    onChange(next)
  }

  const drag = (byX: number, byY: number) => {
    const perPixel = sideOf(size, current.current) / (area.current?.clientWidth || 1)
    change(moved(size, current.current, -byX * perPixel, -byY * perPixel))
  }
  const zoomAt = (factor: number, clientX: number, clientY: number) => {
    const box = area.current?.getBoundingClientRect()
    if (!box?.width) return
    const atX = (clientX - box.left) / box.width - 0.5
    const atY = (clientY - box.top) / box.height - 0.5
    change(zoomed(size, current.current, current.current.zoom * factor, atX, atY))
  }

  const onWheel = useRef((_: WheelEvent) => {})
  onWheel.current = (event) => {
    event.preventDefault()
    zoomAt(Math.exp(-event.deltaY * WHEEL_ZOOM), event.clientX, event.clientY)
  }
  useEffect(() => {
    // React listens to the wheel passively: the page would scroll as well.
    const listener = (event: WheelEvent) => onWheel.current(event)
    const element = area.current
    element?.addEventListener('wheel', listener, { passive: false })
    return () => element?.removeEventListener('wheel', listener)
  }, [])

  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId)
    if (!before) return
    const now = { x: event.clientX, y: event.clientY }
    fingers.current.set(event.pointerId, now)
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    if (!other) return drag(now.x - before.x, now.y - before.y)
    drag((now.x - before.x) / 2, (now.y - before.y) / 2)
    const apart = distance(before, other)
    if (apart > 0) {
      zoomAt(distance(now, other) / apart, (now.x + other.x) / 2, (now.y + other.y) / 2)
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const step = sideOf(size, current.current) * KEY_SHARE
    const next = keyed(event.key, size, current.current, step)
    if (!next) return
    event.preventDefault()
    change(next)
  }

  const forget = (event: PointerEvent) => void fingers.current.delete(event.pointerId)
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture?.(event.pointerId)
      fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    },
    onPointerMove,
    onPointerUp: forget,
    onPointerCancel: forget,
    onKeyDown,
  }
  return { area, handlers }
}

function keyed(key: string, size: Size, crop: Crop, step: number): Crop | undefined {
  switch (key) {
    case 'ArrowLeft':
      return moved(size, crop, -step, 0)
    case 'ArrowRight':
      return moved(size, crop, step, 0)
    case 'ArrowUp':
      return moved(size, crop, 0, -step)
    case 'ArrowDown':
      return moved(size, crop, 0, step)
    case '+':
    case '=':
      return zoomed(size, crop, crop.zoom * KEY_ZOOM)
    case '-':
      return zoomed(size, crop, crop.zoom / KEY_ZOOM)
    default:
      return undefined
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
