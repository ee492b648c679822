import { Accessibility, PointerActivationConstraints, PointerSensor } from '@dnd-kit/dom'
import { DragDropProvider } from '@dnd-kit/react'
import { isSortable } from '@dnd-kit/react/sortable'
import { CircleCheck } from 'lucide-react'
import { type ComponentProps, useId, useLayoutEffect, useRef, useState } from 'react'
import { useWakeLock } from '#web/features/uploads/use-wake-lock.ts'
import { counted, formatBytes } from '#web/lib/format.ts'
import { AlbumRow, type RowPart } from './album-row.tsx'
import type { AlbumItem } from './album-rules.ts'
import { SendingLeaveGuard } from './leave-guard.tsx'
import { isAboutQuota, type RefusalHelp } from './upload-refusals.ts'
import type { Album } from './use-album.ts'
import { WaitingUploads } from './waiting-uploads.tsx'

interface AlbumListProps {
  album: Album
  /** A hint about the storage that is left. */
  room: string | undefined
  refusalHelp: RefusalHelp
}

// The handle scrolls nothing: a finger that moves on it means to move the file.
const sensors = [
  PointerSensor.configure({
    activationConstraints: [new PointerActivationConstraints.Distance({ value: 5 })],
  }),
]
// What it says is English; the list says it itself.
const plugins: ComponentProps<typeof DragDropProvider>['plugins'] = (defaults) =>
  defaults.filter((plugin) => plugin !== Accessibility)

/** Several files in their order, which a finger, a mouse, arrow keys and buttons change. */
export function AlbumList({ album, room, refusalHelp }: AlbumListProps) {
  const { items, isOnItsWay } = album
  const titleId = useId()
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const focusOn = useFocusAfterwards(list)
  useWakeLock(isOnItsWay)
  const move = (id: string, to: number, part?: RowPart) => {
    const from = items.findIndex((item) => item.id === id)
    const item = items[from]
    const place = Math.max(0, Math.min(to, items.length - 1))
    if (!item || place === from) return
    album.move(id, place)
    if (part) focusOn(id, part)
    setAnnouncement(
      `«\u202F${item.name}\u202F» est maintenant le fichier ${place + 1} sur ${items.length}.`,
    )
  }
  const remove = (id: string) => {
    const at = items.findIndex((item) => item.id === id)
    const next = items[at + 1] ?? items[at - 1]
    if (next) focusOn(next.id, 'remove')
    album.remove(id)
    setAnnouncement(`«\u202F${items[at]?.name ?? ''}\u202F» est retiré.`)
  }
  const isRefusedForRoom = items.some(
    ({ upload }) => upload?.phase === 'failed' && isAboutQuota(upload.code),
  )
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-3">
      <SendingLeaveGuard when={isOnItsWay} />
      <div>
        <h3 id={titleId} className="text-xl">
          Vos fichiers
        </h3>
        <p className="text-ink-soft text-sm">
          {counted(items.length, 'fichier', 'fichiers')}, {formatBytes(sizeOf(items))}. {room}
        </p>
        <p className="text-ink-soft text-sm">
          {isOnItsWay
            ? 'Gardez cette page ouverte pendant l’envoi, et continuez d’écrire.'
            : 'La lettre les montre dans cet ordre.'}
        </p>
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <DragDropProvider
        sensors={sensors}
        plugins={plugins}
        onDragEnd={({ operation: { source }, canceled }) => {
          if (!canceled && isSortable(source)) move(String(source.id), source.index)
        }}
      >
        <ol ref={list} aria-labelledby={titleId} className="flex flex-col divide-y divide-line">
          {items.map((item, at) => (
            <AlbumRow
              key={item.id}
              item={item}
              at={at}
              count={items.length}
              refusalHelp={refusalHelp}
              onMove={(to, part) => move(item.id, to, part)}
              onRemove={() => remove(item.id)}
              onRetry={() => album.retry(item.id)}
              onCaption={(caption) => album.setCaption(item.id, caption)}
            />
          ))}
        </ol>
      </DragDropProvider>
      {items.some(({ upload }) => upload) && items.every(hasArrived) && (
        <p role="status" className="flex items-center gap-2 font-semibold text-leaf-ink">
          <CircleCheck aria-hidden="true" className="size-5 shrink-0" />
          Tous les fichiers sont arrivés
        </p>
      )}
      {isRefusedForRoom && <WaitingUploads onResume={album.resume} />}
    </section>
  )
}

function sizeOf(items: readonly AlbumItem[]): number {
  return items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

function hasArrived({ upload }: AlbumItem): boolean {
  return !upload || upload.phase === 'sent'
}

/** The focus goes to a part of a row once it is drawn in its new place, where the browser would have lost it. */
function useFocusAfterwards(list: { current: HTMLElement | null }) {
  const wanted = useRef<{ id: string; part: RowPart }>(undefined)
  useLayoutEffect(() => {
    if (!wanted.current) return
    const { id, part } = wanted.current
    wanted.current = undefined
    const all = list.current?.querySelectorAll<HTMLElement>('[data-file]')
    const row = [...(all ?? [])].find(({ dataset }) => dataset.file === id)
    const find = (name: RowPart) =>
      row?.querySelector<HTMLElement>(`[data-part="${name}"]:not(:disabled)`)
    // At an end of the list, the other way is the one that is left.
    const place = find(part) ?? find(part === 'up' ? 'down' : 'up')
    place?.focus()
  })
  return (id: string, part: RowPart) => {
    wanted.current = { id, part }
  }
}
