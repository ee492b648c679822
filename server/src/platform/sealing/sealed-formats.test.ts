import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { newDataKey } from '#testing/sealed-bytes.ts'
import { loadKeyring } from './keyring.ts'
import { openSealed, sealStream } from './sealed-file.ts'
import { openText } from './sealed-text.ts'
import { parseTicket } from './tickets.ts'

// Capsules are opened decades after they were sealed: these bytes must open for ever.
const MASTER_KEY = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
const FINGERPRINT = 'e14301bcf9438a30e2ba55d812da00b64cccc063644c03258f9c2e5d9864a2b0'
const WRAPPED_KEY =
  'AWkyLi+FR0peupTNA1KUnyuWg1mhjZ09vNhPxgs56D5H71lciPBxHOZqx+O6DeCJ0oljvmoCfTYmlFp2aw=='
const SEALED_TEXT = 'AUZ9vvcdYd9bBCeC6GxrBZdNGLC3xLmYfK4kKwbNhQIJdSSRcFvw8Ps='
const SEALED_FILE =
  'UlZMU0VBTAGxUX7n+6f7trJpskVn1ij4YSagj1C8vO31p8Y7pFn8j/UAfojmlpdMjZACAk/Jv7aVfgbHuknI2cYcjEG1nQhoIy0egeCBGQ=='
const TICKET = 'WyJhIiwib3JpZ2luYWwiLCJiIiwwXQ.jtVty7nN5G6RcL_rJhNuUQeRaUQjfMgsoQnHSSleM1g'

const dataDir = await mkdtemp(join(tmpdir(), 'sealed-formats-'))
afterAll(() => rm(dataDir, { recursive: true }))

test('what the first version sealed still opens', async () => {
  const masterKeyFile = join(dataDir, 'master.key')
  await writeFile(masterKeyFile, MASTER_KEY)
  const expectedFingerprint = Buffer.from(FINGERPRINT, 'hex')
  const keyring = await loadKeyring({ dataDir, masterKeyFile, expectedFingerprint })
  const key = keyring.openDataKey('revelation:1', Buffer.from(WRAPPED_KEY, 'base64'))
  const file = Buffer.from(SEALED_FILE, 'base64')
  const source = {
    size: file.length,
    read: async ({ start, end }: { start: number; end: number }) =>
      Readable.from([Buffer.from(file.subarray(start, end + 1))]),
  }

  expect(openText(key, 'content', Buffer.from(SEALED_TEXT, 'base64'))).toBe('À bientôt.')
  expect((await buffer(await openSealed(key, source))).toString()).toBe('Un fichier.')
  expect(parseTicket(keyring.secretFor('media-tickets'), TICKET)).toEqual({
    item: 'a',
    variant: 'original',
    holder: 'b',
    expiresAt: new Date(0),
  })
})

test('a sealed file opens by hand as decision 0002 tells', async () => {
  const key = await newDataKey()
  const plain = randomBytes(65_536 + 65_536 + 9)
  const sealed = await buffer(Readable.from([plain]).pipe(sealStream(key).stream))

  const header = sealed.subarray(0, 40)
  const fileKey = hkdfSync('sha256', key.bytes, header.subarray(8), 'revelations/file', 32)
  const opened = [0, 1, 2].map((index) => {
    const start = 40 + index * 65_564
    const chunk = sealed.subarray(start, start + 65_564)
    const additional = Buffer.alloc(9)
    additional.writeBigUInt64BE(BigInt(index))
    additional[8] = index === 2 ? 1 : 0
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(fileKey), chunk.subarray(0, 12))
    decipher.setAAD(Buffer.concat([header, additional]))
    decipher.setAuthTag(chunk.subarray(-16))
    return Buffer.concat([decipher.update(chunk.subarray(12, -16)), decipher.final()])
  })

  expect(Buffer.concat(opened).equals(plain)).toBe(true)
})
