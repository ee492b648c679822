import type { OwnRevelation } from '#contract/revelations.ts'
import type { StoredFile } from '#web/features/media/use-attachment.ts'

/** The file that a revelation has, as its author edits it. */
export function storedFileOf(revelation: OwnRevelation): StoredFile | undefined {
  const { file_type, file_url, file_name, file_size, duration, video_edit_url } = revelation
  const { teaser_start, teaser_end } = revelation
  if (!file_type || !file_url) return undefined
  const hasTeaser = teaser_start !== null && teaser_end !== null
  return {
    kind: file_type,
    url: file_url,
    previewUrl: video_edit_url ?? file_url,
    name: file_name ?? 'Fichier',
    sizeBytes: file_size ?? 0,
    duration,
    teaser: hasTeaser ? { start: teaser_start, end: teaser_end } : null,
  }
}
