import * as z from 'zod/mini'
import { typedText } from './text.ts'

/* Several files in one letter, in their author's order (behaviour.md 3.4); what is read of them is in `revelations.ts`. */

export const ALBUM_MAX_FILES = 30
export const CAPTION_MAX_LENGTH = 200

/** The address of an uploaded file, or of one that the letter has already, whichever ticket it carries. */
export const fileUrlSchema = z
  .string('Fichier invalide')
  .check(z.maxLength(2_000, 'Fichier invalide'))

const TOO_MANY = 'Une lettre porte 30 fichiers au plus'

const captionSchema = z.nullable(
  typedText({
    line: true,
    max: {
      length: CAPTION_MAX_LENGTH,
      message: 'Une légende ne peut pas dépasser 200 caractères',
    },
  }),
)

/** What an author writes of the files: `file_url` alone is the first, or the only one. */
export const albumFields = {
  /** All of them, the first one first; empty or null takes them away. */
  file_urls: z.optional(
    z.nullable(
      z.array(fileUrlSchema, 'Fichier invalide').check(z.maxLength(ALBUM_MAX_FILES, TOO_MANY)),
    ),
  ),
  /** As many as there are files, in their order; null takes all of them away. Absent, each stays with its file. */
  captions: z.optional(
    z.nullable(
      z
        .array(captionSchema, 'Les légendes ne sont pas valides')
        .check(z.maxLength(ALBUM_MAX_FILES, TOO_MANY)),
    ),
  ),
}
