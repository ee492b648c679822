import { isOpen, type LetterFile, type Revelation } from '#contract/revelations.ts'

/** The files of a letter that this reader has, in their order; undefined while it is sealed to them. */
export function filesOf(
  revelation: Revelation,
): Pick<LetterFile, 'url' | 'size' | 'caption'>[] | undefined {
  if (!isOpen(revelation)) return undefined
  const { files, file_url: url, file_size: size } = revelation
  return files ?? (url === null ? [] : [{ url, size: size ?? 0, caption: null }])
}

/** How many bytes all of them are; null without any. */
export function sizeOfFiles(revelation: Revelation): number | null {
  const files = filesOf(revelation) ?? []
  return files.length === 0 ? null : files.reduce((sum, { size }) => sum + size, 0)
}
