import { useSortable } from '@dnd-kit/react/sortable'
import {
  ArrowDown,
  ArrowUp,
  CircleCheck,
  GripVertical,
  Hourglass,
  RotateCw,
  WifiOff,
  X,
} from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { CAPTION_MAX_LENGTH } from '#contract/albums.ts'
import { formatBytes } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { controlClass, FieldError } from '#web/ui/form-field.tsx'
import { LengthCount } from '#web/ui/length-count.tsx'
import { type AlbumItem, CAPTION_TOO_LONG } from './album-rules.ts'
import { FileThumbnail } from './file-thumbnail.tsx'
import type { RefusalHelp } from './upload-refusals.ts'
import { useObjectUrl } from './use-object-url.ts'
import type { FileUpload } from './use-uploads.ts'

/** What has the focus in a row, and has it again when the row has moved. */
export type RowPart = 'handle' | 'up' | 'down' | 'remove'

interface AlbumRowProps {
  item: AlbumItem
  at: number
  count: number
  refusalHelp: RefusalHelp
  onMove: (to: number, part: RowPart) => void
  onRemove: () => void
  onRetry: () => void
  onCaption: (caption: string) => void
}

/** One file of several: what it is, how far it has come, what its author says of it, and its place. */
export function AlbumRow(props: AlbumRowProps) {
  const { item, at, count, onMove, onRemove } = props
  const { id, kind, name, sizeBytes, upload, stored } = item
  const objectUrl = useObjectUrl(kind === 'image' ? upload?.file : undefined)
  const { ref, handleRef, isDragging } = useSortable({ id, index: at })
  const helpId = useId()
  const moveByKey = (event: KeyboardEvent) => {
    const places: Record<string, number> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: count - 1,
    }
    const to = places[event.key]
    if (to === undefined) return
    event.preventDefault()
    onMove(to, 'handle')
  }
  return (
    <li
      ref={ref}
      data-file={id}
      className={classNames(
        'flex flex-col gap-2 bg-surface py-3',
        isDragging && 'rounded-field shadow-soft',
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        <button
          ref={handleRef}
          type="button"
          data-part="handle"
          aria-label={`Déplacer «\u202F${name}\u202F», ${at + 1} sur ${count}`}
          aria-describedby={helpId}
          onKeyDown={moveByKey}
          className="-ml-2 flex size-11 shrink-0 cursor-grab touch-none items-center justify-center rounded-field text-ink-soft hover:bg-sunken hover:text-ink active:cursor-grabbing"
        >
          <GripVertical aria-hidden="true" className="size-5" />
        </button>
        <span id={helpId} hidden>
          Flèches haut et bas pour changer sa place.
        </span>
        <FileThumbnail kind={kind} previewUrl={upload ? objectUrl : stored?.previewUrl} />
        <p className="min-w-40 flex-1">
          <span className="line-clamp-2 font-semibold leading-snug [overflow-wrap:anywhere]">
            {name}
          </span>
          <span className="tabular-digits text-ink-soft text-sm">
            {formatBytes(sizeBytes)}
            {upload?.phase === 'sent' && (
              <>
                {' · '}
                <CircleCheck aria-hidden="true" className="inline size-4 text-leaf-ink" /> envoyé
              </>
            )}
          </span>
        </p>
        <div className="flex basis-full items-center gap-1 sm:basis-auto">
          <Button
            variant="ghost"
            data-part="up"
            aria-label={`Monter «\u202F${name}\u202F»`}
            disabled={at === 0}
            icon={<ArrowUp aria-hidden="true" className="size-4.5" />}
            onClick={() => onMove(at - 1, 'up')}
          >
            Monter
          </Button>
          <Button
            variant="ghost"
            data-part="down"
            aria-label={`Descendre «\u202F${name}\u202F»`}
            disabled={at === count - 1}
            icon={<ArrowDown aria-hidden="true" className="size-4.5" />}
            onClick={() => onMove(at + 1, 'down')}
          >
            Descendre
          </Button>
          <IconButton
            data-part="remove"
            className="ml-auto"
            label={`Retirer «\u202F${name}\u202F»`}
            icon={<X aria-hidden="true" className="size-5" />}
            onClick={onRemove}
          />
        </div>
      </div>
      {upload && <RowState {...props} upload={upload} />}
      <Caption {...props} />
    </li>
  )
}

const ICON = { 'aria-hidden': true, className: 'size-4 shrink-0' } as const

type RowStateProps = AlbumRowProps & { upload: FileUpload }

function RowState({ item: { id, name }, upload, refusalHelp, onRetry }: RowStateProps) {
  const about = `«\u202F${name}\u202F»`
  switch (upload.phase) {
    case 'queued':
      return (
        <p className="flex items-center gap-1.5 text-ink-soft text-sm">
          <Hourglass {...ICON} />
          En attente de son tour
        </p>
      )
    case 'sending':
    case 'finishing':
      return <RowProgress upload={upload} />
    case 'waiting':
      return (
        <div className="flex flex-col gap-2">
          <RowProgress upload={upload} />
          <p className="flex items-center gap-1.5 font-medium text-ember-ink text-sm">
            <WifiOff {...ICON} />
            {upload.sentence}
          </p>
          <Button
            variant="secondary"
            className="self-start"
            aria-label={`Reprendre l’envoi de ${about}`}
            icon={<RotateCw {...ICON} />}
            onClick={onRetry}
          >
            Reprendre l’envoi
          </Button>
        </div>
      )
    case 'failed':
      return (
        <div className="flex flex-col gap-2">
          <FieldError id={`${id}-failed`}>{upload.error}</FieldError>
          <div className="flex flex-wrap gap-2">
            {upload.mayRetry && (
              <Button
                variant="secondary"
                aria-label={`Réessayer d’envoyer ${about}`}
                icon={<RotateCw {...ICON} />}
                onClick={onRetry}
              >
                Réessayer
              </Button>
            )}
            {refusalHelp(upload.code)}
          </div>
        </div>
      )
    default:
      return null
  }
}

function RowProgress({ upload: { file, loadedBytes } }: { upload: FileUpload }) {
  const percent = Math.round((loadedBytes / Math.max(1, file.size)) * 100)
  const words = `${formatBytes(loadedBytes)} sur ${formatBytes(file.size)}`
  return (
    <div className="flex items-center gap-3">
      <div
        role="progressbar"
        aria-label={`Envoi de «\u202F${file.name}\u202F»`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${percent}\u00A0%, ${words}`}
        className="h-2 flex-1 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full rounded-full bg-wax transition-[width] duration-300"
          style={{ width: `${percent}%` }}
        />
      </div>
      <span className="tabular-digits shrink-0 text-ink-soft text-sm">{percent}&nbsp;%</span>
    </div>
  )
}

const COUNTED_FROM = CAPTION_MAX_LENGTH - 50

function Caption({ item, onCaption }: AlbumRowProps) {
  const { name, caption, refusal } = item
  const id = useId()
  const { length } = caption.trim()
  const error = length > CAPTION_MAX_LENGTH ? CAPTION_TOO_LONG : refusal
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm">
        Légende <span className="sr-only">de «&#8239;{name}&#8239;» </span>
        <span className="text-ink-soft">(facultatif)</span>
      </label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        enterKeyHint="done"
        value={caption}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-invalid={error ? true : undefined}
        className={controlClass}
        onChange={({ target }) => onCaption(target.value)}
        onKeyDown={(event) => {
          // A caption is not the end of a letter.
          if (event.key === 'Enter' && !event.ctrlKey) event.preventDefault()
        }}
      />
      <div className="flex items-start justify-between gap-3 text-sm empty:hidden">
        {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
        {length > COUNTED_FROM && (
          <LengthCount length={length} limit={CAPTION_MAX_LENGTH} className="ml-auto" />
        )}
      </div>
    </div>
  )
}
