import fs from 'node:fs'
import { freeMemory } from '#server/platform/free-memory.ts'

const WRITE_AHEAD_SIZE = 1024 * 1024

/**
 * A new file, durable once its stream has ended. What is written to it is given away, and its memory given back as soon as
 * the disk has it: hundreds of megabytes would else wait for the garbage collector.
 */
export function createDurableFile(path: string): fs.WriteStream {
  return fs.createWriteStream(path, {
    flags: 'wx',
    mode: 0o600,
    highWaterMark: WRITE_AHEAD_SIZE,
    flush: true,
    fs: freeing,
  })
}

/** What was written in part only is written on from there by the stream. */
const freeing = {
  ...fs,
  write(
    file: number,
    piece: Buffer,
    offset: number,
    length: number,
    position: number | null,
    done: (error: Error | null, written: number, piece: Buffer) => void,
  ) {
    fs.write(file, piece, offset, length, position, (error, written) => {
      done(error, written, piece)
      if (written === length) freeMemory(piece)
    })
  },
  writev(
    file: number,
    pieces: Buffer[],
    position: number | null,
    done: (error: Error | null, written: number, pieces: Buffer[]) => void,
  ) {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    fs.writev(file, pieces, position, (error, written) => {
      done(error, written, pieces)
      if (written === length) for (const piece of pieces) freeMemory(piece)
    })
  },
}
