import { useEffect, useRef, useState } from 'react'
import { preload } from 'react-dom'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { hasAlbum, loadAlbum } from '#web/features/revelations/album-code.ts'

/** The address of what fills the sky as the letter opens: its picture, or the first one of its film. */
function skyPictureOf(revelation: Revelation): string | null {
  if (!isOpen(revelation)) return null
  const { file_type, file_url, file_mobile_url, thumbnail_complete } = revelation
  if (file_type === 'image') return file_mobile_url ?? file_url
  return file_type === 'video' ? thumbnail_complete : null
}

/** Fetches it while the seal is whole: a picture that is late fills no sky. */
export function usePreloadedSkyPicture(revelation: Revelation): void {
  const url = skyPictureOf(revelation)
  useEffect(() => {
    if (url) preload(url, { as: 'image' })
    if (hasAlbum(revelation)) void loadAlbum().catch(() => undefined)
  }, [url, revelation])
}

/**
 * The picture of the letter over the whole screen, which settles into its place on the page (`reveal-animation.css`): a copy
 * that lies on the place and is moved by a transform alone.
 */
export function SkyPicture({ revelation }: { revelation: Revelation }) {
  const url = skyPictureOf(revelation)
  const copy = useRef<HTMLImageElement>(null)
  const [isOver, setOver] = useState(false)
  const isLater = hasAlbum(revelation)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry && copy.current) lieOn(entry.target, copy.current)
    })
    const observePlace = () => {
      const place = document.querySelector('.paper-letter [data-picture]')
      if (place) observer.observe(place)
    }
    observePlace()
    // The code of an album may come a moment after its letter.
    if (isLater) void loadAlbum().then(() => requestAnimationFrame(observePlace), observePlace)
    return () => observer.disconnect()
  }, [isLater])
  if (!url || isOver) return null
  return (
    <div
      aria-hidden="true"
      inert
      className="sky-picture pointer-events-none fixed inset-0 z-30 overflow-hidden"
      onAnimationEnd={({ target }) => target === copy.current && setOver(true)}
    >
      <img ref={copy} src={url} alt="" onError={() => setOver(true)} />
    </div>
  )
}

/** Puts the copy where the place is on the screen, and says from which transform on it fills the screen. */
function lieOn(place: Element, copy: HTMLElement): void {
  const { left, top, width, height } = place.getBoundingClientRect()
  if (width === 0 || height === 0) return
  const scale = Math.max(innerWidth / width, innerHeight / height)
  const x = innerWidth / 2 - (left + width / 2)
  const y = innerHeight / 2 - (top + height / 2)
  Object.assign(copy.style, {
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    objectFit: getComputedStyle(place).objectFit,
  })
  copy.style.setProperty('--fill', `translate(${x}px, ${y}px) scale(${scale})`)
}
