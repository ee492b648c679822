import { deleteFile } from '#contract/media.ts'
import { UPLOADS_URL } from '#contract/uploads.ts'
import { callApi } from '#web/lib/api-client.ts'
import { readToken } from '#web/lib/session-token.ts'

const TRIES = 3
const PAUSE_MS = 1_000
const TIMEOUT_MS = 5_000
// The server still writes the last part, or is overloaded.
const BUSY = [423, 429, 500, 502, 503, 504]

/** Frees the quota of an unfinished upload. Never rejects: the server sweeps old uploads by itself. */
export async function abandonUpload(id: string): Promise<void> {
  const token = readToken()
  for (let left = TRIES; left > 0; left--) {
    const status = await sendDelete(id, token)
    if (!BUSY.includes(status)) return
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

async function sendDelete(id: string, token: string | null): Promise<number> {
  try {
    const { status } = await fetch(new URL(`${UPLOADS_URL}/${id}`, window.location.origin), {
      method: 'DELETE',
      headers: { 'tus-resumable': '1.0.0', authorization: `Bearer ${token ?? ''}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // The request outlives the page.
      keepalive: true,
    })
    return status
  } catch {
    return 0
  }
}

/** Deletes a finished file that nothing uses. Never rejects: the server sweeps unused files by itself. */
export async function deleteUploadedFile(path: string): Promise<void> {
  await callApi(deleteFile, { body: { path } }).catch(() => undefined)
}
