import type { PoolClient } from 'pg'

const FOR_THE_BUILDING = '512MB'

/**
 * Takes away the indexes of these tables while `work` fills them, and builds them anew at the end: keeping them in
 * order row by row takes hours for a million letters. Those that hold a constraint stay.
 */
export async function withIndexesLater(
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
  await client.query(`set local maintenance_work_mem = '${FOR_THE_BUILDING}'`)
  for (const { definition } of rows) await client.query(definition)
}
