import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** What went into the archive under a path. */
export interface Archived {
  sizeBytes: number
  /** In hexadecimal. */
  sha256: string
  /** Why not all of it came. */
  failure: Error | undefined
}

/** A ZIP that is made as it is read: one file at a time, nothing kept but their names. */
export interface ZipArchive {
  /** As long as nobody reads it, nothing is read for it; destroying it ends what is being added. */
  output: Readable
  /** Adds a file to its end. One that breaks off is cut there, and the archive goes on. */
  add(path: string, bytes: Readable, modifiedAt: Date): Promise<Archived>
  /** The directory of the archive: the last that is written. */
  end(): void
  /** Ends it before its end. */
  abandon(error: Error): void
}

export function createZipArchive(): ZipArchive {
  const zip = new ZipFile()
  // yazl types it as any stream; it is a PassThrough.
  const output = zip.outputStream as Readable
  let adding: { source: Readable; meter: Transform } | undefined

  function letGo(): void {
    adding?.source.destroy()
    adding?.meter.destroy()
  }
  output.once('close', letGo)
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
      if (output.destroyed) letGo()
      source.pipe(meter)
      // Films and pictures are compressed already, and what is not is small beside them.
      zip.addReadStream(meter, path, { compress: false, mtime: modifiedAt, mode: 0o100644 })
      await finished(meter)
      adding = undefined
      return { sizeBytes, sha256: hash.digest('hex'), failure }
    },
    end: () => zip.end(),
    abandon: (error) => void output.destroy(error),
  }
}
