import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { colourVideo, recordedAudio, TOOLS, toneAudio } from '#testing/media-files.ts'
import { factsOf, plainFile } from '#testing/media-probe.ts'
import { encodeSound, remuxRecording } from './audio.ts'
import { closePlainSources, withPlainSource } from './plain-source.ts'
import { isLiveRecording, probe } from './probe.ts'
import { createScratch, type Scratch } from './scratch.ts'

let scratch: Scratch
let outputFile: string

beforeEach(async () => {
  scratch = await createScratch()
  outputFile = path.join(scratch.folder, 'out')
})
afterEach(() => scratch.remove())
afterAll(closePlainSources)

async function remuxed(sound: Buffer): Promise<Buffer> {
  const options = { outputFile, sizeBytes: sound.length }
  await withPlainSource(plainFile(sound), (url) => remuxRecording(TOOLS, url, options))
  return readFile(outputFile)
}

test.for(['mp3', 'wav', 'ogg', 'm4a', 'webm', 'aac', 'flac'] as const)(
  'the sound of a %s becomes an AAC that says its duration and nothing else',
  async (format) => {
    const sound = await toneAudio(format, 3, ['-metadata', 'title=Le secret'])
    await withPlainSource(plainFile(sound), (url) => encodeSound(TOOLS, url, { outputFile }))
    const encoded = await readFile(outputFile)
    const facts = await factsOf(encoded)
    expect(facts.streams).toHaveLength(1)
    expect(facts.streams[0]).toMatchObject({ codec_name: 'aac' })
    expect(Number(facts.format.duration)).toBeGreaterThan(2.95)
    expect(Number(facts.format.duration)).toBeLessThan(3.1)
    expect(facts.format.tags?.title).toBeUndefined()
    expect(encoded.indexOf('moov')).toBeLessThan(encoded.indexOf('mdat'))
  },
)

test.for(['webm', 'm4a'] as const)(
  'what a browser records as %s gets its length and an index, its packets untouched',
  async (format) => {
    const recorded = await recordedAudio(format, 6, ['-metadata', 'title=Le secret'])
    expect(isLiveRecording(recorded)).toBe(true)
    const seekable = await remuxed(recorded)
    expect(isLiveRecording(seekable)).toBe(false)
    const facts = await factsOf(seekable)
    expect(Math.abs(Number(facts.format.duration) - 6)).toBeLessThan(0.05)
    expect(facts.streams[0]?.codec_name).toBe(format === 'webm' ? 'opus' : 'aac')
    expect(seekable.includes('Le secret')).toBe(false)
    // Whole packets: a stretch from the middle of the recording is found again.
    const middle = recorded.indexOf(format === 'webm' ? Buffer.from([0xa3]) : 'mdat', 20_000)
    expect(seekable.includes(recorded.subarray(middle + 40, middle + 80))).toBe(true)
  },
)

test.for(['webm', 'm4a', 'ogg', 'aac'] as const)(
  'the length of a %s that says none, or a wrong one, is that of its packets',
  async (format) => {
    const isRecorded = format === 'webm' || format === 'm4a'
    const sound = isRecorded ? await recordedAudio(format, 6) : await toneAudio(format, 6)
    const { durationSeconds } = await withPlainSource(plainFile(sound), (url) => probe(TOOLS, url))
    expect(Math.abs(durationSeconds - 6)).toBeLessThan(0.06)
  },
)

test.for(['mp3', 'wav', 'ogg', 'm4a', 'flac', 'aac'] as const)(
  'a %s that was not recorded by a browser is sought in as it is',
  async (format) => {
    expect(isLiveRecording(await toneAudio(format))).toBe(false)
  },
)

test('a whole webm and a whole mp4 are no live recordings', async () => {
  expect(isLiveRecording(await colourVideo({ seconds: 2, format: 'webm' }))).toBe(false)
  expect(isLiveRecording(await colourVideo({ seconds: 2 }))).toBe(false)
  expect(isLiveRecording(await remuxed(await toneAudio('webm')))).toBe(false)
  expect(isLiveRecording(Buffer.alloc(0))).toBe(false)
})
