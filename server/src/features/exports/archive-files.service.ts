import { Readable } from 'node:stream'
import type { AppContext } from '#server/context.ts'
import type { DownloadableFile } from '#server/features/media/file-views.service.ts'
import type { Archived, ZipArchive } from '#server/platform/archives/zip-archive.ts'
import type { ArchivedFile } from './exports.presenter.ts'

type Pieces = Iterable<string> | AsyncIterable<string>

/** The files of an archive, and the SHA-256 sums of those that are whole. */
export interface ArchiveFiles {
  add(path: string, bytes: Readable): Promise<Archived>
  addText(path: string, pieces: Pieces): Promise<void>
  /** One that cannot be read is missing, and the archive continues. */
  addFile(path: string, file: DownloadableFile, modifiedAt: Date): Promise<ArchivedFile>
  /** Adds the sums, and ends the archive. */
  end(): Promise<void>
}

/** `requireRight` throws once its reader may read no more: it is asked before each file, since a download may take an hour. */
export function createArchiveFiles(
  ctx: AppContext,
  archive: ZipArchive,
  requireRight: () => Promise<unknown>,
): ArchiveFiles {
  const now = ctx.now()
  const sums: string[] = []

  async function add(path: string, bytes: Readable, modifiedAt = now): Promise<Archived> {
    const archived = await archive.add(path, bytes, modifiedAt)
    // The sum of a part is the sum of nothing that somebody has.
    if (!archived.failure) sums.push(`${archived.sha256}  ${path}\n`)
    return archived
  }

  return {
    add,
    async addText(path, pieces) {
      await add(path, Readable.from(inBytes(pieces)))
    },
    async addFile(path, file, modifiedAt) {
      await requireRight()
      const { mediaId, read } = file
      if (!read) return { state: 'pending' }
      try {
        const { failure, sha256 } = await add(path, await read(), modifiedAt)
        if (!failure) return { state: 'whole', path, sha256 }
        ctx.log.error({ mediaId, err: failure }, 'a file breaks off in an archive')
        return { state: 'incomplete', path, sha256 }
      } catch (error) {
        if (archive.output.destroyed) throw error
        ctx.log.error({ mediaId, err: error }, 'a file is missing in an archive')
        return { state: 'missing' }
      }
    },
    async end() {
      await archive.add('SHA256SUMS', Readable.from(inBytes(sums)), now)
      archive.end()
    },
  }
}

async function* inBytes(pieces: Pieces): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece)
}
