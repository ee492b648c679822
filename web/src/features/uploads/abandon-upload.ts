import { UPLOADS_URL } from '#contract/uploads.ts'
import { readToken } from '#web/lib/session-token.ts'
import { listKeptUploads } from './uploads-store.ts'

const TRIES = 3
const PAUSE_MS = 1_000
const TIMEOUT_MS = 5_000
// The last part is still being written, or the server is short of breath.
const BUSY = [423, 429, 500, 502, 503, 504]

/** Gives the room of an unfinished upload back. A failure is nobody's business: the server forgets it by itself. */
export async function abandonUpload(id: string): Promise<void> {
  const token = readToken()
  for (let left = TRIES; left > 0; left--) {
    const status = await ask(id, token)
    if (!BUSY.includes(status)) return
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

async function ask(id: string, token: string | null): Promise<number> {
  try {
    const { status } = await fetch(new URL(`${UPLOADS_URL}/${id}`, window.location.origin), {
      method: 'DELETE',
      headers: { 'tus-resumable': '1.0.0', authorization: `Bearer ${token ?? ''}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // Also when the page is left a moment later.
      keepalive: true,
    })
    return status
  } catch {
    return 0
  }
}

/** The same for all that this device was sending for somebody. */
export async function abandonKeptUploads(ownerId: string): Promise<void> {
  const kept = await listKeptUploads(ownerId)
  await Promise.all(
    kept.map(({ uploadId, arrivedPath }) =>
      uploadId && !arrivedPath ? abandonUpload(uploadId) : undefined,
    ),
  )
}
