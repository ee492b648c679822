import { Transform } from 'node:stream'

/** Bytes in pieces of any size in, the same in pieces of `size` out, each alone in its memory. */
export function regroup(size: number): Transform {
  let piece = Buffer.alloc(0)
  let filled = 0
  return new Transform({
    readableHighWaterMark: size,
    transform(bytes: Buffer, _encoding, done) {
      for (let taken = 0; taken < bytes.length; ) {
        if (filled === 0) piece = Buffer.allocUnsafeSlow(size)
        const count = bytes.copy(piece, filled, taken)
        taken += count
        filled += count
        if (filled === size) {
          this.push(piece)
          filled = 0
        }
      }
      done()
    },
    flush(done) {
      done(null, filled > 0 ? piece.subarray(0, filled) : null)
    },
  })
}
