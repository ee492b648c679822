import { type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react'
import type { FileType } from '#contract/revelations.ts'
import { type AlbumItem, lightOf, MISSING, placeOf, useAlbumParts } from './album-items.ts'

interface AlbumFileProps {
  item: AlbumItem
  at: number
  total: number
  /** It is the one before the reader: what played stops as another one comes. */
  isCurrent: boolean
}

/** A film, a sound or a document on the whole screen, with the player or the reader that it has on a page. */
export function AlbumFile({ item, at, total, isCurrent }: AlbumFileProps) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isCurrent) return
    for (const player of frame.current?.querySelectorAll<HTMLMediaElement>('video, audio') ?? []) {
      player.pause()
    }
  }, [isCurrent])
  return (
    <Contained>
      <div ref={frame} className="flex w-full justify-center px-4">
        <Shown item={item} title={item.caption ?? placeOf(item, at, total)} />
      </div>
    </Contained>
  )
}

const WIDTHS: Record<FileType, string> = {
  video: 'w-[min(100%,60dvh*16/9)]',
  audio: 'flex w-full max-w-xl flex-col gap-4',
  document: 'w-[min(100%,24rem,50dvh)]',
  image: '',
}

function Shown({ item, title }: { item: AlbumItem; title: string }) {
  const { FilePlayer } = useAlbumParts()
  const light = lightOf(item)
  if (light === null) return <p role="status">{MISSING[item.type]}</p>
  return (
    <div className={WIDTHS[item.type]}>
      <FilePlayer title={title} file={{ ...item, url: item.url ?? light }} />
    </div>
  )
}

const ARROWS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/**
 * What happens in a player or reader that is no gesture of the album: the arrows of a film that was started, a drag along a bar,
 * all that a document does, which lies over the album though React has it inside.
 */
function Contained({ children }: { children: ReactNode }) {
  const stopOutside = (event: SyntheticEvent) => {
    if (!isInside(event)) event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it answers to nothing, and keeps what is not for the album
    <div
      className="contents"
      onKeyDown={(event) => {
        if (!isInside(event) || (ARROWS.has(event.key) && hasBar(event))) event.stopPropagation()
      }}
      onPointerDown={(event) => {
        if (!isInside(event) || (event.target as Element).closest(BAR)) event.stopPropagation()
      }}
      onPointerMove={stopOutside}
      onPointerUp={stopOutside}
      onClick={stopOutside}
      onWheel={stopOutside}
    >
      {children}
    </div>
  )
}

const BAR = '[role="slider"], input'

/** Whether the focus is in a player that has a bar to seek in, as it has once it was touched. */
function hasBar({ target, currentTarget }: SyntheticEvent): boolean {
  const player = (target as Element).closest('figure, section')
  return currentTarget.contains(player) && player?.querySelector(BAR) !== null
}

function isInside({ target, currentTarget }: SyntheticEvent): boolean {
  return target instanceof Node && currentTarget.contains(target)
}
