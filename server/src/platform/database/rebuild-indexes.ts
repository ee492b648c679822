import type { PoolClient } from 'pg'

const BUILD_MEMORY = '512MB'

/**
 * Drops the indexes of these tables while `work` fills them, and builds them again at the end: updating them row by row
 * takes hours for a million letters. Indexes of constraints stay.
 */
export async function withoutIndexes(
  client: PoolClient,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where indrelid = any($1::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  await client.query(`set local maintenance_work_mem = '${BUILD_MEMORY}'`)
  for (const { definition } of rows) await client.query(definition)
}
