import { isOpen, type LetterFile, type Revelation } from '#contract/revelations.ts'

type ShownFile = Pick<LetterFile, 'url' | 'is_sealed' | 'size' | 'caption'>

/** The files of a letter that this reader has, in their order; undefined while it is sealed to them. */
export function filesOf(revelation: Revelation): ShownFile[] | undefined {
  if (!isOpen(revelation)) return undefined
  const { files, file_url: url, file_size } = revelation
  if (files) return files
  if (url === null && file_size === null) return []
  const size = file_size ?? 0
  // A letter that this device kept from before there were copies has its file as it was sealed.
  return [{ url, is_sealed: revelation.file_is_sealed !== false, size, caption: null }]
}

/** Those whose bytes can be compared with what was sealed: no copy of a picture is among them. */
export function sealedFilesOf(revelation: Revelation): ShownFile[] {
  return (filesOf(revelation) ?? []).filter(({ is_sealed }) => is_sealed)
}

/** How many bytes all that can be compared are; null without any. */
export function sizeOfFiles(revelation: Revelation): number | null {
  const files = sealedFilesOf(revelation)
  return files.length === 0 ? null : files.reduce((sum, { size }) => sum + size, 0)
}
