import { z } from 'zod'
import { AppError } from './errors.ts'

/** The end of a page, which the client sends back for the next page. */
export function formatCursor(place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** The values of `formatCursor`; `invalid_input` for any other text. */
export function parseCursor<Place>(cursor: string, schema: z.ZodType<Place>): Place {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw new AppError('invalid_input', { message: 'Ce repère de page n’est pas valide' })
  }
}

/** Parsed to a `Date`: PostgreSQL refuses the year 0 as text. */
export const cursorInstant = z.iso.datetime().transform((text) => new Date(text))
