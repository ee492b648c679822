import { createHash } from 'node:crypto'
import { Transform, Writable } from 'node:stream'

/** What a file was when it was written: whatever differs later was altered or lost. */
export interface Sum {
  sizeBytes: number
  sha256: string
}

/** Adds up what goes by; `sum` is asked once, at the end. */
export function summing(): { add(piece: Buffer): void; through: Transform; sum(): Sum } {
  const hash = createHash('sha256')
  let sizeBytes = 0
  function add(piece: Buffer): void {
    hash.update(piece)
    sizeBytes += piece.length
  }
  const through = new Transform({
    transform(piece: Buffer, _encoding, done) {
      add(piece)
      done(null, piece)
    },
  })
  return { add, through, sum: () => ({ sizeBytes, sha256: hash.digest('hex') }) }
}

/** The end of a pipeline of which only what went by matters. */
export function discard(): Writable {
  return new Writable({ write: (_piece, _encoding, done) => done() })
}

export function isSame(one: Sum, other: Sum): boolean {
  return one.sizeBytes === other.sizeBytes && one.sha256 === other.sha256
}
