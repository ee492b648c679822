import { Play } from 'lucide-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { formatDuration } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import { type AlbumItem, lightOf, MISSING, nameOf, useAlbumParts } from './album-items.ts'
import { useFreshSource } from './use-player.ts'

interface AlbumGalleryProps {
  items: readonly AlbumItem[]
  onOpen: (at: number) => void
}

/**
 * The files of a letter in their author’s order: photos and films as thumbnails under which their captions stand, sounds and
 * documents across. Without scripts each thumbnail is a link to its file.
 */
export function AlbumGallery({ items, onOpen }: AlbumGalleryProps) {
  return (
    <ol
      aria-label="Fichiers"
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,8rem),1fr))] gap-x-3 gap-y-5 print:hidden"
    >
      {items.map((item, at) => (
        <li
          // Where it is in the letter, which no longer changes: an address does, with its ticket.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          className={classNames((isWide(item, at) || !isPicture(item)) && 'col-span-full')}
        >
          {isPicture(item) ? (
            <Tile item={item} at={at} total={items.length} onOpen={onOpen} />
          ) : (
            <Row item={item} at={at} total={items.length} onOpen={onOpen} />
          )}
        </li>
      ))}
    </ol>
  )
}

function isPicture({ type }: AlbumItem): boolean {
  return type === 'image' || type === 'video'
}

/** A caption that would stand under a thumbnail as a column of its own. */
const LONG_CAPTION = 70

/** The first, into which the sky of the opening settles, and what has a long caption. */
function isWide({ caption }: AlbumItem, at: number): boolean {
  return at === 0 || (caption?.length ?? 0) > LONG_CAPTION
}

interface PlacedProps {
  item: AlbumItem
  at: number
  total: number
  onOpen: (at: number) => void
}

function Tile(props: PlacedProps) {
  const { item, at } = props
  const fillsRow = isWide(item, at)
  return (
    <figure>
      <Opener
        {...props}
        className={classNames('w-full', fillsRow ? 'aspect-3/2' : 'aspect-square')}
      >
        <Thumbnail item={item} isFirst={at === 0} isWide={fillsRow} />
        {item.type === 'video' && lightOf(item) !== null && (
          <FilmMark durationSeconds={item.duration} />
        )}
      </Opener>
      {item.type === 'video' && lightOf(item) === null && item.thumbnail !== null && (
        <p className="mt-1.5 text-ink-soft text-sm">{MISSING.video}</p>
      )}
      {item.caption !== null && (
        <figcaption className="mt-1.5 text-balance font-serif leading-snug [overflow-wrap:anywhere]">
          {item.caption}
        </figcaption>
      )}
    </figure>
  )
}

interface OpenerProps extends PlacedProps {
  className: string
  children: ReactNode
}

/** A link to the file, which opens it in its place among the others; where there is none yet, the place it will have. */
function Opener({ item, at, total, onOpen, className, children }: OpenerProps) {
  const frame = classNames('relative block overflow-hidden rounded-field bg-sunken', className)
  const name = nameOf(item, at, total)
  const url = lightOf(item)
  if (url === null) {
    return (
      <div className={frame}>
        <span className="sr-only">{name}</span>
        {children}
      </div>
    )
  }
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen(at)
  }
  return (
    <a
      href={url}
      aria-label={name}
      aria-haspopup="dialog"
      data-album-file={at}
      onClick={open}
      className={classNames(frame, 'cursor-zoom-in')}
    >
      {children}
    </a>
  )
}

interface ThumbnailProps {
  item: AlbumItem
  isFirst?: boolean
  isWide?: boolean
}

/** As large as the letter is wide, a thumbnail would be coarse. */
function Thumbnail({ item, isFirst = false, isWide = false }: ThumbnailProps) {
  const isLarge = isWide && item.type === 'image'
  const thumbnail = item.thumbnail ?? (item.type === 'image' ? lightOf(item) : null)
  const url = (isLarge ? lightOf(item) : null) ?? thumbnail
  const renew = isLarge || item.thumbnail === null ? item.renewLight : item.renewThumbnail
  if (url === null) return <Missing item={item} />
  return <FreshThumbnail {...{ item, isFirst, url, renew }} />
}

interface FreshThumbnailProps {
  item: AlbumItem
  isFirst: boolean
  url: string
  renew: AlbumItem['renew']
}

function FreshThumbnail({ item, isFirst, url, renew }: FreshThumbnailProps) {
  const { source, refresh } = useFreshSource(url, renew)
  const [isGone, setGone] = useState(false)
  if (isGone) return <Missing item={item} words="" />
  return (
    <img
      src={source}
      alt=""
      loading={isFirst ? undefined : 'lazy'}
      decoding="async"
      data-picture={isFirst ? '' : undefined}
      className="size-full object-cover"
      onError={async () => setGone(!(await refresh()))}
    />
  )
}

function Missing({ item, words }: { item: AlbumItem; words?: string }) {
  const Icon = useAlbumParts().icons[item.type]
  // A photo is shown by itself; what a film or a document looks like may come later than its file.
  const isOnItsWay = item.type === 'image' || lightOf(item) === null
  return (
    <span className="flex size-full flex-col items-center justify-center gap-1.5 p-2 text-center text-ink-soft text-sm">
      <Icon aria-hidden="true" className="size-6" />
      {words ?? (isOnItsWay && MISSING[item.type])}
    </span>
  )
}

function FilmMark({ durationSeconds }: { durationSeconds: number | null }) {
  return (
    <span
      aria-hidden="true"
      className="theme-night absolute inset-0 flex items-center justify-center"
    >
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-black/60 text-white">
        <Play className="ml-0.5 size-6 fill-current" />
      </span>
      {durationSeconds !== null && (
        <span className="tabular-digits absolute right-1.5 bottom-1.5 rounded-full bg-black/70 px-2 text-white text-xs leading-5">
          {formatDuration(durationSeconds)}
        </span>
      )}
    </span>
  )
}

/** A sound, which plays in its place, or a document, with its first page. */
function Row(props: PlacedProps) {
  const { item, at, total } = props
  const { FilePlayer, DownloadButton, icons } = useAlbumParts()
  const Icon = icons[item.type]
  const light = lightOf(item)
  const title = item.caption ?? item.name
  return (
    <div className="flex flex-col gap-3 border-line border-t pt-5">
      <div className="flex items-start gap-4">
        {item.type === 'document' && (
          <Opener {...props} className="aspect-[1/1.414] w-20 shrink-0 border border-line">
            <Thumbnail item={item} />
          </Opener>
        )}
        <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-3">
          <div className="min-w-0 grow basis-40">
            {item.caption !== null && (
              <p className="font-serif leading-snug [overflow-wrap:anywhere]">{item.caption}</p>
            )}
            <p className="flex min-w-0 items-center gap-2 text-ink-soft text-sm">
              <Icon aria-hidden="true" className="size-4 shrink-0" />
              <span className="min-w-0 [overflow-wrap:anywhere]">{item.name}</span>
            </p>
          </div>
          {item.url !== null && (
            <DownloadButton
              label="Télécharger"
              about={title}
              url={item.url}
              fileName={item.name}
              sizeBytes={item.size}
              renew={item.renew}
            />
          )}
        </div>
      </div>
      {item.type === 'audio' &&
        (light === null ? (
          <p className="text-ink-soft">{MISSING.audio}</p>
        ) : (
          <FilePlayer
            title={item.caption ?? nameOf(item, at, total)}
            file={{ ...item, url: item.url ?? light }}
          />
        ))}
    </div>
  )
}
