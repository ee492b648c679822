import { z } from 'zod'
import { AppError } from './errors.ts'

/** Where a page ends, as the client hands it back for the next one. */
export function writeCursor(place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** What `writeCursor` wrote; `invalid_input` for anything else. */
export function readCursor<Place>(cursor: string, schema: z.ZodType<Place>): Place {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw new AppError('invalid_input', { message: 'Ce repère de page n’est pas valide' })
  }
}

/** As a `Date`: the year 0 is text that PostgreSQL refuses. */
export const cursorInstant = z.iso.datetime().transform((text) => new Date(text))
