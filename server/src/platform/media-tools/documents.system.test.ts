import { expect, test } from 'vitest'
import { endlessPdf, lockedPdf, pagelessPdf, pdf } from '#testing/media-files.ts'
import { encodeFirstPage } from './documents.ts'
import { UnreadableMedia } from './media-errors.ts'

test.each([
  ['is broken', Buffer.from('%PDF-1.4 and then nothing')],
  ['asks for a password', lockedPdf()],
  ['has no page', pagelessPdf()],
  ['is too thin to be seen', pdf({ size: '14400 1' })],
  ['is too small to be seen', pdf({ size: '0.01 0.01' })],
])('a document that %s is unreadable', async (_, bytes) => {
  await expect(encodeFirstPage(bytes, 100)).rejects.toThrow(UnreadableMedia)
})

test('ends with the run that asked for it', async () => {
  const signal = AbortSignal.abort(new Error('The program stops'))
  await expect(encodeFirstPage(pdf(), 100, { signal })).rejects.toThrow('The program stops')
})

test('takes no more memory than a large document needs', async () => {
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 50)
  await expect(encodeFirstPage(endlessPdf(), 100)).rejects.toThrow(UnreadableMedia)
  clearInterval(timer)
  expect(peak - before).toBeLessThan(800 * 1024 * 1024)
})
