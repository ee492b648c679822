import type { FileType } from '#contract/revelations.ts'
import type { AlbumItem } from '#web/features/media/album-rules.ts'
import { FILE_ICONS } from '#web/features/media/file-icons.ts'
import type { Album } from '#web/features/media/use-album.ts'
import type { Attachment } from '#web/features/media/use-attachment.ts'
import { isOnItsWay } from '#web/features/media/use-uploads.ts'
import { counted, formatBytes, formatList, formatPlace, formatSeconds } from '#web/lib/format.ts'

/** The files of a letter that is about to be sealed, and what of a film is shown before. */
export function InsideInWords({ album: { items, first } }: { album: Album }) {
  const { kind, name, sizeBytes } = first
  if (!kind) return 'Vos mots, sans fichier'
  if (items.length > 1) return <FilesInWords items={items} first={first} />
  const Icon = FILE_ICONS[kind]
  const caption = items[0]?.caption.trim()
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
        <span className="truncate">{name}</span>
        <span className="tabular-digits shrink-0 text-ink-soft text-sm">
          {sizeBytes !== undefined && formatBytes(sizeBytes)}
        </span>
      </span>
      {caption && <Aside>Avec une légende.</Aside>}
      {kind === 'video' && <Aside>{teaserInWords(first)}</Aside>}
    </>
  )
}

interface FilesInWordsProps {
  items: readonly AlbumItem[]
  first: Attachment
}

function FilesInWords({ items, first }: FilesInWordsProps) {
  const { document: Icon } = FILE_ICONS
  const size = items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const captions = items.filter(({ caption }) => caption.trim() !== '').length
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
        <span>{kindsInWords(items)}</span>
        <span className="tabular-digits shrink-0 text-ink-soft text-sm">{formatBytes(size)}</span>
      </span>
      <Aside>
        {captions > 0
          ? `Dans votre ordre, avec ${counted(captions, 'légende', 'légendes')}.`
          : 'Dans votre ordre, sans légende.'}
      </Aside>
      {first.kind === 'video' && (
        <Aside>{`Le premier, «\u202F${first.name}\u202F»\u202F: ${lowerFirst(teaserInWords(first))}`}</Aside>
      )}
    </>
  )
}

function Aside({ children }: { children: string }) {
  return <span className="block text-ink-soft text-sm">{children}</span>
}

const NOUNS: Record<FileType, readonly [one: string, many: string]> = {
  image: ['photo', 'photos'],
  video: ['film', 'films'],
  audio: ['enregistrement', 'enregistrements'],
  document: ['document', 'documents'],
}

/** « 3 photos et 1 film ». */
function kindsInWords(items: readonly AlbumItem[]): string {
  const kinds = Object.keys(NOUNS) as FileType[]
  const parts = kinds.flatMap((kind) => {
    const count = items.filter((item) => item.kind === kind).length
    return count === 0 ? [] : counted(count, ...NOUNS[kind])
  })
  return formatList(parts)
}

function teaserInWords({ teaser }: Attachment): string {
  if (teaser.state === 'none') return 'Sans extrait\u202F: rien n’est montré avant la date.'
  const { start, end } = teaser.window
  return `Extrait visible dès maintenant\u202F: de ${formatPlace(start)} à ${formatPlace(end)} (${formatSeconds(end - start)}).`
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** Why the seal is not set yet, while files are on their way. */
export function sealWaitsFor({ items }: Pick<Album, 'items'>): string {
  const left = items.filter(({ upload }) => upload && isOnItsWay(upload)).length
  return left > 1
    ? 'Le sceau se posera quand les fichiers seront arrivés.'
    : 'Le sceau se posera quand le fichier sera arrivé.'
}
