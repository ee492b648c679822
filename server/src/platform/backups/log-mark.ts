import type pg from 'pg'
import { z } from 'zod'

/** The last checkpoint of the log in a backup: below it no later backup in the same folder may fall. */
export const logMarkSchema = z.object({
  size: z.int().positive(),
  /** In hexadecimal. */
  root: z.string().regex(/^[0-9a-f]{64}$/),
  /** As it was signed, and as the mails carry it. */
  note: z.string(),
})
export type LogMark = z.infer<typeof logMarkSchema>

/** Undefined while nothing was signed, and in a database of before the log. */
export async function readLogMark(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<LogMark | undefined> {
  const { rows: found } = await client.query(`select to_regclass('log_checkpoints') as log`)
  if (found[0].log === null) return undefined
  const { rows } = await client.query<{ size: string | number; root: Buffer; note: string }>(
    'select size, root, note from log_checkpoints order by size desc limit 1',
  )
  const [last] = rows
  return last && { size: Number(last.size), root: last.root.toString('hex'), note: last.note }
}
