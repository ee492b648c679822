import type pg from 'pg'
import { StartError } from '#server/platform/start-error.ts'

type Client = Pick<pg.ClientBase, 'query'>

/** Which restore has begun and not ended in this database: its backup, and whether its rows are there. */
export interface UnfinishedRestore {
  run: string
  isLoaded: boolean
}

export async function findUnfinishedRestore(
  client: Client,
): Promise<UnfinishedRestore | undefined> {
  const { rows } = await client.query(`select to_regclass('unfinished_restore') as found`)
  if (rows[0].found === null) return undefined
  const marks = await client.query<UnfinishedRestore>(
    'select run, is_loaded as "isLoaded" from unfinished_restore',
  )
  return marks.rows[0]
}

export async function beginRestore(client: Client, run: string): Promise<void> {
  // One statement, hence one transaction: the table is never there without its row.
  await client.query(
    `create table unfinished_restore as select '${run}'::text as run, false as is_loaded`,
  )
}

/** In the transaction that loads the rows. */
export async function noteLoaded(client: Client): Promise<void> {
  await client.query('update unfinished_restore set is_loaded = true')
}

export async function endRestore(client: Client): Promise<void> {
  await client.query('drop table unfinished_restore')
}

/** A program on half an installation would take the letters that are missing for deleted ones. */
export async function refuseUnfinishedRestore(client: Client): Promise<void> {
  if (!(await findUnfinishedRestore(client))) return
  throw new StartError(
    'A restore into this database was cut: run it again with the same folder, it goes on from there.',
  )
}
