import { expect, test } from 'vitest'
import { lockedPdf, pagelessPdf, pdf } from '#testing/media-files.ts'
import { encodeFirstPage } from './documents.ts'
import { UnreadableMedia } from './media-errors.ts'

test.each([
  ['is broken', Buffer.from('%PDF-1.4 and then nothing')],
  ['asks for a password', lockedPdf()],
  ['has no page', pagelessPdf()],
])('a document that %s is unreadable', async (_, bytes) => {
  await expect(encodeFirstPage(bytes, 100)).rejects.toThrow(UnreadableMedia)
})

test('ends with the run that asked for it', async () => {
  const signal = AbortSignal.abort(new Error('The program stops'))
  await expect(encodeFirstPage(pdf(), 100, { signal })).rejects.toThrow('The program stops')
})
