import { expect, type Locator, type Page } from '@playwright/test'
import { colourVideo, picture, toneAudio } from '#testing/media-files.ts'
import { test } from './journey.ts'
import { expectInside, pressOn, tabTo } from './keyboard.ts'
import { cameBefore, openBeside, origin, sealThrough, sendFile, signIn } from './people.ts'

const SECONDS = 30
const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 00:30.000\nLa mer monte.'

test.skip(({ isMobile }) => isMobile, 'Phones have no Tab key')

/** A public letter that is open, with a file and what is said in it. */
async function openLetter(
  page: Page,
  title: string,
  file: FileOfLetter,
  file_words?: string,
): Promise<string> {
  const author = await signIn(await openBeside(page))
  const { id } = await sealThrough(author, {
    title,
    visibility: 'public',
    reveal_date: new Date(Date.now() - 1_000).toISOString(),
    file_url: await sendFile(author, ...file),
    file_words,
  })
  await cameBefore(page)
  return id
}
type FileOfLetter = [Parameters<typeof sendFile>[1], Parameters<typeof sendFile>[2]]

const aFilm = async (extra: string[] = []): Promise<FileOfLetter> => [
  'videos',
  {
    bytes: await colourVideo({ seconds: SECONDS, fps: 10, size: '64x36', extra }),
    name: 'mer.mp4',
    type: 'video/mp4',
  },
]
const placeIn = (media: Locator) => media.evaluate((player: HTMLMediaElement) => player.currentTime)
const isPaused = (media: Locator, paused: boolean) =>
  expect(media).toHaveJSProperty('paused', paused)

test('a film is played, searched, heard, enlarged and found again with the keyboard alone', {
  tag: '@all',
}, async ({ page }) => {
  const id = await openLetter(page, 'La mer', await aFilm(), CAPTIONS)
  const film = page.getByLabel('Vidéo complète : La mer', { exact: true })
  const start = page.getByRole('button', { name: 'Lire la vidéo La mer' })
  const pause = page.getByRole('button', { name: 'Pause', exact: true })
  const controls: string[] = []
  page.on('request', (request) => {
    if (/-controls-[^/]*\.js$/.test(request.url())) controls.push(request.url())
  })
  await page.goto(`${origin()}/revelation/${id}`)
  const readiness = () => film.evaluate((video: HTMLVideoElement) => video.readyState)
  await expect.poll(readiness).toBeGreaterThan(0)
  expect(controls).toEqual([])
  await pressOn(page, start)
  await expect(pause).toBeFocused()
  await expect(film).toHaveJSProperty('controls', false)
  await isPaused(film, false)

  await page.keyboard.press('k')
  await isPaused(film, true)
  const before = await placeIn(film)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => placeIn(film)).toBeCloseTo(before + 5, 1)
  await page.keyboard.press('m')
  await expect(film).toHaveJSProperty('muted', true)
  await page.keyboard.press('c')
  const cue = () =>
    film.evaluate(({ textTracks: [track] }: HTMLVideoElement) =>
      track?.mode === 'showing' ? (track.activeCues?.[0] as VTTCue | undefined)?.text : track?.mode,
    )
  await expect.poll(cue).toBe('La mer monte.')
  await page.keyboard.press('c')
  await expect.poll(cue).not.toBe('La mer monte.')
  await page.keyboard.press('f')
  const whole = page.locator(':fullscreen')
  await expect(whole.getByRole('button', { name: 'Quitter le plein écran' })).toBeVisible()
  await page.keyboard.press('f')
  await expect(page.getByRole('button', { name: 'Plein écran', exact: true })).toBeVisible()
  await expect(whole).toHaveCount(0)
  await pressOn(page, page.getByRole('button', { name: /^Vitesse/ }))
  await expect(page.getByRole('button', { name: 'Vitesse : ×1,25' })).toBeFocused()

  const slider = page.getByRole('slider', { name: 'Position dans la vidéo' })
  await expect(slider).toHaveAttribute('tabindex', '0')
  await tabTo(page, slider, 'Shift+Tab')
  await page.keyboard.press('Home')
  await expect.poll(() => placeIn(film)).toBe(0)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => placeIn(film)).toBeCloseTo(5, 1)
  await expect(slider).toHaveAttribute('aria-valuetext', /^[45]\ssecondes sur 30\ssecondes$/)
  await page.keyboard.press('k')
  await isPaused(film, false)
  await page.keyboard.press('k')
  await isPaused(film, true)
  await page.keyboard.press('5')
  await expect.poll(() => placeIn(film)).toBe(SECONDS / 2)
  await expect(film).toHaveJSProperty('seeking', false)

  await page.reload()
  await expect(page.getByText('Reprendre à 0:15')).toBeVisible()
  await pressOn(page, start)
  await expect(pause).toBeFocused()
  expect(await placeIn(film)).toBeGreaterThanOrEqual(SECONDS / 2)
  await expect(film).toHaveJSProperty('playbackRate', 1.25)
})

test('a film whose ticket ends goes on where it is, under another one', { tag: '@all' }, async ({
  page,
}) => {
  const [folder, file] = await aFilm(['-movflags', '+faststart'])
  const id = await openLetter(page, 'Sans coupure', [folder, file])
  const still = page.locator('canvas')
  // The server gives the same ticket for some minutes: the page is answered one of its own.
  await page.route(`**/api/revelations/${id}`, async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    body.revelation.file_url += '&nouveau=1'
    // Meanwhile the picture that stood there stays.
    await expect(still).toBeVisible()
    await route.fulfill({ response: answer, json: body })
  })
  const half = Math.floor(file.bytes.length / 2)
  await page.route(/videos.*token(?!.*nouveau)/, async (route) => {
    const headers = await route.request().allHeaders()
    const from = Number(/\d+/.exec(headers.range ?? '')?.[0] ?? 0)
    if (from >= half) return route.fulfill({ status: 403 })
    const range = `bytes=${from}-${half - 1}`
    await route.fulfill({ response: await route.fetch({ headers: { ...headers, range } }) })
  })
  await page.goto(`${origin()}/revelation/${id}`)
  const film = page.getByLabel('Vidéo complète : Sans coupure', { exact: true })
  await page.getByRole('button', { name: 'Lire la vidéo Sans coupure' }).click()
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeFocused()
  await page.keyboard.press('4')
  await expect(film).toHaveAttribute('src', /nouveau/)
  await expect(still).toBeHidden()
  await expect.poll(() => placeIn(film)).toBeGreaterThan((SECONDS * 4) / 10 + 1)
  await isPaused(film, false)
})

test('a sound is played, searched and slowed with the keyboard alone', { tag: '@all' }, async ({
  page,
}) => {
  const id = await openLetter(
    page,
    'La voix',
    [
      'audio',
      {
        bytes: await toneAudio('mp3', SECONDS),
        name: 'voix.mp3',
        type: 'audio/mpeg',
      },
    ],
    'Ce que dit la voix.',
  )
  await page.goto(`${origin()}/revelation/${id}`)
  await expect(page.getByText('Ce que dit la voix.').first()).toBeVisible()
  const sound = page.locator('audio[src*="/audio/"]')
  await pressOn(page, page.getByRole('button', { name: 'Écouter La voix' }))
  await expect(page.getByRole('button', { name: 'Mettre La voix en pause' })).toBeFocused()
  await isPaused(sound, false)
  const slider = page.getByRole('slider', { name: 'Position dans le message' })
  // Before its length is known there is nothing to seek in.
  await expect(slider).toHaveAttribute('tabindex', '0')
  await tabTo(page, slider)
  await page.keyboard.press('k')
  await isPaused(sound, true)
  await page.keyboard.press('End')
  await expect.poll(() => placeIn(sound)).toBeCloseTo(SECONDS, 0)
  await pressOn(page, page.getByRole('button', { name: 'Reculer de 10 secondes' }))
  await expect.poll(() => placeIn(sound)).toBeCloseTo(SECONDS - 10, 0)
  const speed = page.getByRole('button', { name: /^Vitesse/ })
  await tabTo(page, speed)
  for (const wanted of ['1,25', '1,5', '2', '0,75']) {
    await page.keyboard.press('Enter')
    await expect(speed).toHaveAccessibleName(`Vitesse : ×${wanted}`)
  }
  await expect(sound).toHaveJSProperty('playbackRate', 0.75)
  await page.keyboard.press('5')
  await expect.poll(() => placeIn(sound)).toBeCloseTo(SECONDS / 2, 0)
  await expect(sound).toHaveJSProperty('seeking', false)

  await page.reload()
  await expect(page.getByText('0:15')).toBeVisible()
  await pressOn(page, page.getByRole('button', { name: 'Écouter La voix' }))
  await isPaused(sound, false)
  expect(await placeIn(sound)).toBeGreaterThanOrEqual(14)
})

test('an image is enlarged, moved and left with the keyboard alone', { tag: '@all' }, async ({
  page,
}) => {
  const id = await openLetter(page, 'Le port', [
    'images',
    {
      bytes: await picture('png'),
      name: 'port.png',
      type: 'image/png',
    },
  ])
  await page.goto(`${origin()}/revelation/${id}`)
  const opener = page.getByRole('button', { name: 'Voir l’image en plein écran' })
  // Readers get a copy, which comes to the page once it is drawn.
  await expect(opener).toBeVisible()
  await pressOn(page, opener)
  const viewer = page.getByRole('dialog', { name: 'Image de la révélation Le port' })
  await expectInside(page, viewer)
  const image = viewer.getByRole('img', { name: 'Le port' })
  await expect(image).toHaveJSProperty('complete', true)
  const shown = () => image.boundingBox()
  const fitted = await shown()
  await expect(viewer.getByRole('button', { name: 'Agrandir' })).toBeEnabled()
  await page.keyboard.press('+')
  await expect(viewer.getByRole('status')).toHaveText(/^Agrandie 2/)
  await expect.poll(async () => (await shown())?.width).toBeCloseTo(2 * (fitted?.width ?? 0), 0)
  await page.keyboard.press('-')
  await expect(viewer.getByRole('status')).toBeEmpty()
  await pressOn(page, viewer.getByRole('button', { name: 'Agrandir' }))
  await expect(viewer.getByRole('status')).toHaveText(/^Agrandie/)
  await page.keyboard.press('Escape')
  await expect(viewer).toBeHidden()
  await expect(opener).toBeFocused()
})
