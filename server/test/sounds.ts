import { toneAudio } from '#test/media-files.ts'
import type { Answer, Person, TestApp } from '#test/test-server.ts'
import { uploadFile } from '#test/uploads.ts'

export const SOUNDS = '/api/family-sounds'

/** Sends a second of a tone, as a browser records it, and gives its address. */
export async function uploadSound(
  server: Pick<TestApp, 'call'>,
  as: Person,
  { bytes, name = 'enregistrement.webm' }: { bytes?: Buffer; name?: string } = {},
): Promise<string> {
  const sent = await uploadFile(server, as, {
    bytes: bytes ?? (await toneAudio('webm', 1)),
    name,
    folder: 'audio',
  })
  return sent.url
}

/** Asks to share a sound of one’s own; without a `file_url`, one is uploaded first. */
export async function askToShare(
  server: Pick<TestApp, 'call'>,
  as: Person,
  overrides: Record<string, unknown> = {},
): Promise<Answer> {
  const fileUrl = overrides.file_url ?? (await uploadSound(server, as))
  const body = { title: 'Un bonjour de loin', ...overrides, file_url: fileUrl }
  return server.call('POST', SOUNDS, { as, body })
}

/** Shares a sound through the front door; what is answered of it. */
export async function shareSound(
  server: Pick<TestApp, 'call'>,
  as: Person,
  overrides: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const { status, body } = await askToShare(server, as, overrides)
  if (status !== 201) throw new Error(`Cannot share: ${JSON.stringify(body)}`)
  return body.sound
}

export async function listSounds(
  server: Pick<TestApp, 'call'>,
  as: Person | undefined,
  query = '',
): Promise<Answer['body']> {
  const { status, body } = await server.call('GET', `${SOUNDS}${query}`, { as })
  if (status !== 200) throw new Error(`Cannot list: ${JSON.stringify(body)}`)
  return body
}
