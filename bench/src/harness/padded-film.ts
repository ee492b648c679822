import { createHash, randomFillSync } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { runFfmpeg } from './ffmpeg.ts'

const PIECE_BYTES = 4 * 1024 * 1024

/**
 * A film of two seconds, then a `free` box of random bytes that players skip: the size of a long film, of
 * which the probe of an upload reads next to nothing. The answer is its SHA-256.
 */
export async function createPaddedFilm(path: string, sizeBytes: number): Promise<string> {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2']
  const output = ['-pix_fmt', 'yuv420p', '-movflags', '+faststart', path]
  await runFfmpeg([...picture, ...output])
  const film = await readFile(path)
  const header = Buffer.alloc(8, 'free', 'latin1')
  let missing = sizeBytes - film.length
  header.writeUInt32BE(missing)
  header.write('free', 4, 'latin1')
  const hash = createHash('sha256').update(film).update(header)
  const file = await open(path, 'a')
  try {
    await file.write(header)
    missing -= header.length
    for (const piece = Buffer.allocUnsafe(PIECE_BYTES); missing > 0; ) {
      const bytes = randomFillSync(piece).subarray(0, missing)
      await file.write(bytes)
      hash.update(bytes)
      missing -= bytes.length
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}
