import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type AddressedVariant,
  cleanName,
  copyName,
  downloadName,
  formatAttachment,
  isMediaId,
  pathOf,
  readAddress,
  readPath,
  urlOf,
} from './file-names.rules.ts'

const ID = '0a1b2c3d-0000-4000-8000-0123456789ab'
const VIDEO = { id: ID, kind: 'video', extension: 'mov' } as const

it.each([
  ['original', `/api/secure-file/videos/${ID}.mov`],
  ['mobile', `/api/secure-file/videos/mobile_${ID}.mp4`],
  ['teaser', `/api/secure-file/teasers/teaser_${ID}.mp4`],
  ['image', `/api/secure-file/images/mobile_${ID}.webp`],
  ['thumbnail_teaser', `/api/thumbnail/teaser_${ID}.webp`],
  ['thumbnail_complete', `/api/thumbnail/${ID}.webp`],
  ['audio', `/api/audio/${ID}.m4a`],
  ['seekable', `/api/secure-file/audio/seekable_${ID}.mov`],
  ['copy', `/api/secure-file/images/copy_${ID}.mov`],
] as const satisfies [AddressedVariant, string][])(
  'has the %s at %s, and parses it back',
  (variant, url) => {
    expect(urlOf(VIDEO, variant)).toBe(url)
    const [, , door = '', folder = '', file] = url.split('/')
    const [place, name] = file ? [folder, file] : [door === 'audio' ? 'listen' : door, folder]
    expect(readAddress(place, name)).toMatchObject({ mediaId: ID, variant })
  },
)

it('finds the original of a recording at /api/audio for older clients', () => {
  expect(readAddress('listen', `${ID}.mp3`)).toMatchObject({ variant: 'original' })
})

it.each([
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
])('finds no file at %j, %j', (folder, name) => {
  expect(readAddress(folder, name)).toBeUndefined()
})

it.each([
  `videos/${ID}.mov`,
  `/api/secure-file/videos/${ID}.mov`,
  `/api/secure-file/videos/${ID}.mov?token=abc.def`,
])('accepts %s as the name of a file', (text) => {
  expect(readPath(text)).toEqual({ mediaId: ID, path: pathOf(VIDEO) })
})

it.each([
  '',
  ID,
  `videos/../videos/${ID}.mov`,
  `../../etc/passwd`,
  `https://ailleurs.test/api/secure-file/videos/${ID}.mov`,
  `//ailleurs.test/api/secure-file/videos/${ID}.mov`,
  `/api/secure-file/videos/mobile_${ID}.mp4`,
  `videos/${ID}.mov\n`,
  `videos/${ID}.mov#x`,
])('rejects %j as the name of a file', (text) => {
  expect(readPath(text)).toBeUndefined()
})

it('accepts an id and nothing around it', () => {
  expect(isMediaId(ID)).toBe(true)
  expect(isMediaId(`${ID}\n`)).toBe(false)
  expect(isMediaId('1')).toBe(false)
})

it.each([
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
])('cleans the name %j to %j', (name, cleaned) => {
  expect(cleanName(name, 'mp4')).toBe(cleaned)
})

it('leaves any name well-formed, short, on one line and out of folders', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (any) => {
      const name = cleanName(any, 'mp4')
      expect(name.isWellFormed()).toBe(true)
      expect(name.length).toBeGreaterThan(0)
      expect(name.length).toBeLessThanOrEqual(200)
      expect(name).not.toMatch(/[\p{Cc}/\\]|^\./u)
      expect(formatAttachment(name)).toMatch(/^[\x20-\x7E]+$/)
    }),
  )
})

it('leaves a long name its extension', () => {
  expect(cleanName(`${'é'.repeat(500)}.webm`, 'webm')).toMatch(/^é{195}\.webm$/)
})

it.each([
  ['voix.webm', 'webm', 'voix.webm'],
  ['voix.webm', 'm4a', 'voix.m4a'],
  ['photo.jpeg', 'jpg', 'photo.jpeg'],
  ['photo.JPG', 'jpg', 'photo.JPG'],
  ['sans extension', 'pdf', 'sans extension.pdf'],
  ['v1.2 finale et longue', 'pdf', 'v1.2 finale et longue.pdf'],
])('names a download of %s sent as %s %s', (name, extension, saved) => {
  expect(downloadName(name, extension)).toBe(saved)
})

it.each([
  ['Mamie à la plage.jpg', 'jpg', 'Mamie à la plage.jpg'],
  ['IMG_0042.HEIC', 'heic', 'IMG_0042.jpg'],
  ['IMG_20190807_060504.jpg', 'jpg', 'image.jpg'],
  ['PXL_20190807_040504123.MP.jpg', 'jpg', 'image.jpg'],
  ['20190807_060504.heic', 'heic', 'image.jpg'],
  ['IMG-20190807-WA0001.jpg', 'jpg', 'image.jpg'],
  ['Capture d’écran 2019-08-07 à 06.05.04.png', 'png', 'image.png'],
  ['signal-2019-08-07-06-05-04-123.webp', 'webp', 'image.webp'],
  ['photo_2019.08.07.gif', 'gif', 'image.gif'],
  ['12345678.jpg', 'jpg', '12345678.jpg'],
  ['120190807.jpg', 'jpg', '120190807.jpg'],
  ['1990.jpg', 'jpg', '1990.jpg'],
])('names the copy of %j (%s) %j', (name, extension, copied) => {
  expect(copyName(name, extension)).toBe(copied)
})

it('sends the exact name of a download in UTF-8, and no character of it ends the header', () => {
  expect(formatAttachment(`L'été "à" 100 %.pdf`)).toBe(
    `attachment; filename="L'_t_ ___ 100 _.pdf"; filename*=UTF-8''L%27%C3%A9t%C3%A9%20%22%C3%A0%22%20100%20%25.pdf`,
  )
})
