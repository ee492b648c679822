import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file of the archive. */
export interface Archived {
  sizeBytes: number
  /** In hexadecimal. */
  sha256: string
  /** Why the file is incomplete. */
  failure: Error | undefined
}

/** A ZIP that is written while it is read: one file at a time, only their names stay in memory. */
export interface ZipArchive {
  /** Sources are read only as fast as the output; its destruction ends the current file. */
  output: Readable
  /** Adds a file. A source that fails leaves an incomplete file, and the archive continues. */
  add(path: string, bytes: Readable, modifiedAt: Date): Promise<Archived>
  /** Writes the directory of the archive, its last part. */
  end(): void
  /** Destroys the output before its end. */
  abandon(error: Error): void
}

export function createZipArchive(): ZipArchive {
  const zip = new ZipFile()
  // yazl types it as any stream; it is a PassThrough.
  const output = zip.outputStream as Readable
  let adding: { source: Readable; meter: Transform } | undefined

  function stopAdding(): void {
    adding?.source.destroy()
    adding?.meter.destroy()
  }
  output.once('close', stopAdding)
  zip.on('error', (error) => output.destroy(error))

  return {
    output,
    async add(path, source, modifiedAt) {
      const hash = createHash('sha256')
      let sizeBytes = 0
      let failure: Error | undefined
      const meter = new Transform({
        transform(piece: Buffer, _encoding, done) {
          hash.update(piece)
          sizeBytes += piece.length
          done(null, piece)
        },
      })
      source.once('error', (error) => {
        failure = error
        meter.end()
      })
      adding = { source, meter }
      if (output.destroyed) stopAdding()
      source.pipe(meter)
      // Films and pictures are compressed already; other files are small beside them.
      zip.addReadStream(meter, path, { compress: false, mtime: modifiedAt, mode: 0o100644 })
      await finished(meter)
      adding = undefined
      return { sizeBytes, sha256: hash.digest('hex'), failure }
    },
    end: () => zip.end(),
    abandon: (error) => void output.destroy(error),
  }
}
