import { toneAudio } from './media-files.ts'
import type { Answer, Person, TestApp } from './test-server.ts'
import { uploadFile } from './uploads.ts'

export const VOICE_MESSAGES_URL = '/api/family-sounds'

/** Uploads a second of a tone, as a browser records it; the answer is its address. */
export async function uploadVoice(
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

/** Posts a voice message; without a `file_url`, a voice is uploaded first. */
export async function postVoiceMessage(
  server: Pick<TestApp, 'call'>,
  as: Person,
  overrides: Record<string, unknown> = {},
): Promise<Answer> {
  const fileUrl = overrides.file_url ?? (await uploadVoice(server, as))
  const body = { title: 'Un bonjour de loin', ...overrides, file_url: fileUrl }
  return server.call('POST', VOICE_MESSAGES_URL, { as, body })
}

/** Creates a voice message through the front door. */
export async function createVoiceMessage(
  server: Pick<TestApp, 'call'>,
  as: Person,
  overrides: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const { status, body } = await postVoiceMessage(server, as, overrides)
  if (status !== 201) throw new Error(`Cannot share: ${JSON.stringify(body)}`)
  return body.sound
}

export async function listVoiceMessages(
  server: Pick<TestApp, 'call'>,
  as: Person | undefined,
  query = '',
): Promise<Answer['body']> {
  const { status, body } = await server.call('GET', `${VOICE_MESSAGES_URL}${query}`, { as })
  if (status !== 200) throw new Error(`Cannot list: ${JSON.stringify(body)}`)
  return body
}
