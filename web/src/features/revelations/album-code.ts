import { isOpen, type Revelation } from '#contract/revelations.ts'

/** Most letters have one file: what shows several is code of its own, in no page’s. */
let code: typeof import('./letter-album.tsx') | undefined

/** With it at hand an album is rendered at once: by the server, and by the browser that takes its page over. */
export async function loadAlbum() {
  code ??= await import('./letter-album.tsx')
  return code
}

/** Undefined until it is. */
export function loadedAlbum() {
  return code?.LetterAlbum
}

export function hasAlbum(revelation: Revelation | undefined): boolean {
  return revelation !== undefined && isOpen(revelation) && (revelation.files?.length ?? 0) > 1
}
