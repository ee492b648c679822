import { FILE_ICONS } from '#web/features/media/file-icons.ts'
import type { Attachment } from '#web/features/media/use-attachment.ts'
import { formatBytes, formatPlace, formatSeconds } from '#web/lib/format.ts'

/** The file of a letter that is about to be sealed, and what of a film is shown before. */
export function InsideInWords({ attachment }: { attachment: Attachment }) {
  const { kind, name, sizeBytes, teaser } = attachment
  if (!kind) return 'Vos mots, sans fichier'
  const Icon = FILE_ICONS[kind]
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
        <span className="truncate">{name}</span>
        <span className="tabular-digits shrink-0 text-ink-soft text-sm">
          {sizeBytes !== undefined && formatBytes(sizeBytes)}
        </span>
      </span>
      {kind === 'video' && (
        <span className="block text-ink-soft text-sm">
          {teaser.state === 'none'
            ? 'Sans extrait\u202F: rien n’est montré avant la date.'
            : `Extrait visible dès maintenant\u202F: de ${formatPlace(teaser.window.start)} à ${formatPlace(teaser.window.end)} (${formatSeconds(teaser.window.end - teaser.window.start)}).`}
        </span>
      )}
    </>
  )
}
