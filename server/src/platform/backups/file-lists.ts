import { createReadStream } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type Sum, summing } from '#server/platform/storage/hashing.ts'

const entrySchema = z.object({
  key: z.string(),
  sizeBytes: z.int(),
  sha256: z.string(),
  readAt: z.optional(z.string()),
})

/** What an object of a backup is, and when it was last read there; nothing in lists of earlier versions. */
export interface ListedFile extends Sum {
  readAt?: string | undefined
}

/** Which objects a backup has. */
export type FileList = Map<string, ListedFile>

/** One line an object, in order: what is equal is equal by `diff`. */
export async function writeFileList(file: string, files: FileList): Promise<Sum> {
  const lines = [...files].sort(([one], [other]) => (one < other ? -1 : 1)).map(lineOf)
  const bytes = Buffer.from(lines.join(''))
  await writeFile(file, bytes, { flag: 'wx', mode: 0o600, flush: true })
  const { add, sum } = summing()
  add(bytes)
  return sum()
}

/** Empty for a file that is not there; a line cut by a kill is left out. */
export async function readFileList(file: string): Promise<FileList> {
  const files: FileList = new Map()
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const entry = entryOf(line)
      if (!entry) continue
      const { key, ...file } = entry
      files.set(key, file)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return files
}

/** Where a backup notes what it has copied, so that it goes on there when it is cut. */
export function journalPath(folder: string): string {
  return path.join(folder, 'database', 'copied.jsonl')
}

export async function noteCopied(folder: string, key: string, sum: Sum): Promise<void> {
  // A line feed on both sides: what a kill cut before it must not spoil it.
  await appendFile(journalPath(folder), `\n${lineOf([key, sum])}`, { mode: 0o600 })
}

function lineOf([key, { sizeBytes, sha256, readAt }]: [string, ListedFile]): string {
  return `${JSON.stringify({ key, sizeBytes, sha256, readAt })}\n`
}

function entryOf(line: string) {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
