import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { freeMemoryAround } from './free-memory.ts'

/**
 * Writes what `openSealed` gives to a response, ends it, and gives the memory of each piece back as soon as
 * it is sent. Rejects, and cuts the response, when the bytes fail; a reader who leaves is no failure.
 */
export async function sendOpened(opened: Readable, response: Writable): Promise<void> {
  let hasLeft = false
  const sender = new Writable({
    write(piece: Buffer, _encoding, done) {
      response.write(piece, (error) => {
        freeMemoryAround(piece)
        if (error) hasLeft = true
        done(error)
      })
    },
    final(done) {
      response.end(done)
    },
  })
  function leave(): void {
    hasLeft = true
    sender.destroy()
  }
  response.once('close', leave)
  try {
    await pipeline(opened, sender)
  } catch (error) {
    response.destroy()
    if (!hasLeft) throw error
  } finally {
    response.off('close', leave)
  }
}
