import type pg from 'pg'

type Client = Pick<pg.ClientBase, 'query'>

/**
 * Every column that names a stored object. `while_absent` is the condition under which the object need not be there: its
 * row is written before its bytes.
 */
export const NAMED_FILES: readonly { table: string; whileAbsent: string }[] = [
  {
    table: 'media_objects',
    whileAbsent: `exists (select from media where id = media_id and state = 'receiving')`,
  },
  { table: 'avatars', whileAbsent: 'false' },
  { table: 'upload_pieces', whileAbsent: 'false' },
]

export interface NamedFile {
  key: string
  /** Whether its bytes may not have come yet. */
  mayBeAbsent: boolean
}

/** Every object that the rows name, as this connection sees them. */
export async function listNamedFiles(client: Client): Promise<NamedFile[]> {
  const { rows } = await client.query<NamedFile>(
    (await naming(client))
      .map(
        ({ table, whileAbsent }) =>
          `select storage_key as key, ${whileAbsent} as "mayBeAbsent" from ${table}`,
      )
      .join(' union all '),
  )
  return rows
}

/** Those among these objects that must be there. */
export async function listExpected(client: Client, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await client.query<{ key: string }>(
    (await naming(client))
      .map(
        ({ table, whileAbsent }) =>
          `select storage_key as key from ${table}
           where storage_key = any($1) and not ${whileAbsent}`,
      )
      .join(' union all '),
    [keys],
  )
  return new Set(rows.map(({ key }) => key))
}

/** Those of this database: before an upgrade it is an older one than this program’s. */
async function naming(client: Client): Promise<typeof NAMED_FILES> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [NAMED_FILES.map(({ table }) => table)],
  )
  return NAMED_FILES.filter(({ table }) => rows.some(({ name }) => name === table))
}
