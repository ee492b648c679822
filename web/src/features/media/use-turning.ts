import {
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'

/** A finger that moves less is a tap; one that moves more, and sideways, turns the page. */
const TAP_PX = 8
const SWIPE_PX = 48
/** How far a page follows the finger. */
const DRAG_MAX_DEG = 70
/** What answers to a tap by itself. */
const PRESSED = 'a, button, input, video, audio, [role="slider"]'
const DRAGGED = 'input, [role="slider"]'

/** Whether a finger went that far sideways, and not up or down. */
export function isSwipe(x: number, y: number): boolean {
  return Math.abs(x) > SWIPE_PX && Math.abs(x) > 1.5 * Math.abs(y)
}

/** Which page is seen, and the one that is on its way: one after the last, and `onOver` once it has left. */
export function useTurning(total: number, onOver: () => void) {
  const [at, setAt] = useState(0)
  const [moving, setMoving] = useState<{ page: number; step: 1 | -1 }>()
  const frame = useRef<HTMLDivElement>(null)
  const start = useRef<{ x: number; y: number }>(undefined)
  const wasDragged = useRef(false)
  const isOver = at === total

  const turn = (step: 1 | -1) => {
    const next = at + step
    if (next < 0 || isOver) return
    setMoving({ page: step === 1 ? at : next, step })
    setAt(next)
  }

  const settle = useEffectEvent(() => {
    setMoving(undefined)
    if (isOver) onOver()
  })
  useEffect(() => {
    if (!moving) return
    let isReplaced = false
    const sheet = frame.current?.querySelector('[data-motion]')
    const motions = sheet?.getAnimations?.().map(({ finished }) => finished) ?? []
    // A motion that another one cuts short has ended too.
    void Promise.allSettled(motions).then(() => !isReplaced && settle())
    return () => {
      isReplaced = true
    }
  }, [moving])

  const drag = (degrees: number | undefined) => {
    const sheet = frame.current?.querySelector<HTMLElement>('[data-current]')
    if (degrees === undefined) sheet?.style.removeProperty('--drag')
    else sheet?.style.setProperty('--drag', `${degrees}deg`)
  }
  const movedBy = ({ clientX, clientY }: PointerEvent | MouseEvent) => {
    const { x, y } = start.current ?? { x: clientX, y: clientY }
    return { x: clientX - x, y: clientY - y }
  }
  const gestures = {
    onPointerDown: (event: PointerEvent) => {
      wasDragged.current = false
      const isDragged = (event.target as Element).closest(DRAGGED)
      start.current =
        event.isPrimary && !isDragged ? { x: event.clientX, y: event.clientY } : undefined
    },
    onPointerMove: (event: PointerEvent) => {
      if (!start.current || event.buttons === 0) return
      const { x } = movedBy(event)
      if (Math.abs(x) > TAP_PX) wasDragged.current = true
      drag(Math.min(DRAG_MAX_DEG, Math.max(0, (-x / innerWidth) * 90)))
    },
    onPointerUp: (event: PointerEvent) => {
      const { x, y } = movedBy(event)
      start.current = undefined
      if (isSwipe(x, y)) turn(x < 0 ? 1 : -1)
      else drag(undefined)
    },
    // The page is scrolled instead.
    onPointerCancel: () => {
      start.current = undefined
      drag(undefined)
    },
    onClick: (event: MouseEvent) => {
      if (wasDragged.current || (event.target as Element).closest(PRESSED)) return
      turn(1)
    },
  }
  return {
    at,
    leaving: moving?.step === 1 ? moving.page : undefined,
    returning: moving?.step === -1 ? moving.page : undefined,
    isOver,
    turn,
    frame,
    gestures,
  }
}
