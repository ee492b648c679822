import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AddressedVariant,
  attachmentNamed,
  cleanName,
  downloadName,
  isMediaId,
  pathOf,
  readAddress,
  readPath,
  urlOf,
} from './media-names.rules.ts'

const ID = '0a1b2c3d-0000-4000-8000-0123456789ab'
const VIDEO = { id: ID, kind: 'video', extension: 'mov' } as const

test.each([
  ['original', `/api/secure-file/videos/${ID}.mov`],
  ['mobile', `/api/secure-file/videos/mobile_${ID}.mp4`],
  ['teaser', `/api/secure-file/teasers/teaser_${ID}.mp4`],
  ['image', `/api/secure-file/images/mobile_${ID}.webp`],
  ['thumbnail_teaser', `/api/thumbnail/teaser_${ID}.webp`],
  ['thumbnail_complete', `/api/thumbnail/${ID}.webp`],
  ['audio', `/api/audio/${ID}.m4a`],
  ['seekable', `/api/secure-file/audio/seekable_${ID}.mov`],
] as const satisfies [AddressedVariant, string][])(
  'the %s is at %s, and read back',
  (variant, url) => {
    expect(urlOf(VIDEO, variant)).toBe(url)
    const [, , door = '', folder = '', file] = url.split('/')
    const [place, name] = file ? [folder, file] : [door === 'audio' ? 'listen' : door, folder]
    expect(readAddress(place, name)).toMatchObject({ mediaId: ID, variant })
  },
)

test('older clients find the original of a sound at /api/audio', () => {
  expect(readAddress('listen', `${ID}.mp3`)).toMatchObject({ variant: 'original' })
})

test.each([
  ['videos', `teaser_${ID}.mp4`],
  ['teasers', `${ID}.mp4`],
  ['teasers', `mobile_${ID}.mp4`],
  ['thumbnail', `mobile_${ID}.webp`],
  ['keys', `${ID}.mp4`],
  ['videos', `../${ID}.mp4`],
  ['videos', `${ID}.mp4/..`],
  ['videos', `${ID}`],
  ['videos', `${ID}.mp4\u0000`],
  ['videos', '..'],
  ['..', `${ID}.mp4`],
  ['videos', `${ID.toUpperCase()}.mp4`],
])('no file is at %j, %j', (folder, name) => {
  expect(readAddress(folder, name)).toBeUndefined()
})

test.each([
  `videos/${ID}.mov`,
  `/api/secure-file/videos/${ID}.mov`,
  `/api/secure-file/videos/${ID}.mov?token=abc.def`,
])('a client may name a file as %s', (text) => {
  expect(readPath(text)).toEqual({ mediaId: ID, path: pathOf(VIDEO) })
})

test.each([
  '',
  ID,
  `videos/../videos/${ID}.mov`,
  `../../etc/passwd`,
  `https://ailleurs.test/api/secure-file/videos/${ID}.mov`,
  `//ailleurs.test/api/secure-file/videos/${ID}.mov`,
  `/api/secure-file/videos/mobile_${ID}.mp4`,
  `videos/${ID}.mov\n`,
  `videos/${ID}.mov#x`,
])('%j names no file', (text) => {
  expect(readPath(text)).toBeUndefined()
})

test('an id is an id and nothing around it', () => {
  expect(isMediaId(ID)).toBe(true)
  expect(isMediaId(`${ID}\n`)).toBe(false)
  expect(isMediaId('1')).toBe(false)
})

test.each([
  ['Mon été.mp4', 'Mon été.mp4'],
  ['Mon e\u0301te\u0301.mp4', 'Mon été.mp4'],
  ['a\u0000b\r\nc.mp4', 'abc.mp4'],
  ['photo\u202Egpj.exe', 'photogpj.exe'],
  ['../../etc/passwd', 'etcpasswd'],
  ['..', 'fichier.mp4'],
  ['C:\\Vidéos\\x.mp4', 'C:Vidéosx.mp4'],
  ['', 'fichier.mp4'],
  [undefined, 'fichier.mp4'],
  ['👩‍👧.mp4', '👩‍👧.mp4'],
  ['seul \uD800.mp4', 'seul \uFFFD.mp4'],
])('the name %j is kept as %j', (given, kept) => {
  expect(cleanName(given, 'mp4')).toBe(kept)
})

test('a name of any characters stays well-formed, short, on one line and out of folders', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = cleanName(given, 'mp4')
      expect(name.isWellFormed()).toBe(true)
      expect(name.length).toBeGreaterThan(0)
      expect(name.length).toBeLessThanOrEqual(200)
      expect(name).not.toMatch(/[\p{Cc}/\\]|^\./u)
      expect(attachmentNamed(name)).toMatch(/^[\x20-\x7E]+$/)
    }),
  )
})

test('a long name keeps its extension', () => {
  expect(cleanName(`${'é'.repeat(500)}.webm`, 'webm')).toMatch(/^é{195}\.webm$/)
})

test.each([
  ['voix.webm', 'webm', 'voix.webm'],
  ['voix.webm', 'm4a', 'voix.m4a'],
  ['photo.jpeg', 'jpg', 'photo.jpeg'],
  ['photo.JPG', 'jpg', 'photo.JPG'],
  ['sans extension', 'pdf', 'sans extension.pdf'],
  ['v1.2 finale et longue', 'pdf', 'v1.2 finale et longue.pdf'],
])('a download of %s sent as %s is saved as %s', (name, extension, saved) => {
  expect(downloadName(name, extension)).toBe(saved)
})

test('the exact name of a download travels in UTF-8, and nothing in it ends the header', () => {
  expect(attachmentNamed(`L'été "à" 100 %.pdf`)).toBe(
    `attachment; filename="L'_t_ ___ 100 _.pdf"; filename*=UTF-8''L%27%C3%A9t%C3%A9%20%22%C3%A0%22%20100%20%25.pdf`,
  )
})
