import { SOUND_MAX_BYTES, SOUND_TITLE_MAX_LENGTH } from '#contract/sounds.ts'

/** What the file picker offers. */
export const ACCEPTED_SOUNDS = 'audio/*,.mp3,.m4a,.wav,.ogg'

// Some systems know no type for these; the server decides from the bytes.
const TOLERATED = /\.(mp3|m4a|wav|ogg)$/i

type NamedFile = Pick<File, 'name' | 'type' | 'size'>

/** Why a file cannot be imported, or undefined: said before a byte leaves. */
export function refuseSound({ name, type, size }: NamedFile): string | undefined {
  const isSound = type.startsWith('audio/') || (type === '' && TOLERATED.test(name))
  if (!isSound) return 'Seuls les fichiers audio sont autorisés'
  if (size === 0) return 'Fichier invalide'
  if (size > SOUND_MAX_BYTES) return 'Fichier trop volumineux (max 50MB)'
  return undefined
}

/** The file's name without its extension. */
export function titleOfFile(name: string): string {
  const dot = name.lastIndexOf('.')
  return (dot > 0 ? name.slice(0, dot) : name).slice(0, SOUND_TITLE_MAX_LENGTH).trim()
}
