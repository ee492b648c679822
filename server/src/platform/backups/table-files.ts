import { createReadStream, createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { discard, isSame, summing } from '#server/platform/storage/hashing.ts'
import { copyIn, copyOut, type KeptTable } from './kept-tables.ts'
import type { TableFile } from './manifest.ts'

const LINE_FEED = 10

/** Writes the rows of a table, as COPY says them, to a file that is there and durable once this resolves. */
export async function writeTable(
  client: pg.PoolClient,
  table: KeptTable,
  file: string,
  signal: AbortSignal,
): Promise<TableFile> {
  const rows = client.query(to(copyOut(table)))
  const { through, sum } = summing()
  await pipeline(
    rows,
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    through,
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  )
  const { schema, name, columns } = table
  return { schema, name, columns, rows: rows.rowCount, ...sum() }
}

/** Why the file of a table cannot be used, or undefined. Read to its end, unpacked, its rows counted. */
export async function checkTable(
  file: string,
  table: TableFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { through, sum } = summing()
  let rows = 0
  // COPY writes a line feed at the end of each row, and nowhere else.
  const counting = new Transform({
    transform(piece: Buffer, _encoding, done) {
      for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) {
        rows += 1
      }
      done()
    },
  })
  const read = createReadStream(file)
  try {
    await pipeline(read, through, createZstdDecompress(), counting, discard(), { signal })
  } catch (error) {
    signal.throwIfAborted()
    return `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'altered'})`
  }
  if (!isSame(sum(), table)) return 'it was altered'
  return rows === table.rows ? undefined : `it has ${rows} rows instead of ${table.rows}`
}

/** Copies the rows of a file into a table; throws when they are not those that were written. */
export async function loadTable(
  client: pg.PoolClient,
  table: TableFile,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const { through, sum } = summing()
  const target = client.query(from(copyIn(table)))
  await pipeline(createReadStream(file), through, createZstdDecompress(), target, { signal })
  if (!isSame(sum(), table) || target.rowCount !== table.rows) {
    throw new Error(`${file} changed while it was read`)
  }
}
