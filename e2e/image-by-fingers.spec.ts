import { expect } from '@playwright/test'
import { photoWithGps } from '#testing/media-files.ts'
import { test } from './journey.ts'
import { cameBefore, openBeside, origin, sealThrough, sendFile, signIn } from './people.ts'

test.skip(({ hasTouch }) => !hasTouch, 'Fingers want a screen that feels them')

type Place = [x: number, y: number]

test('two fingers enlarge an image and make it whole again, one moves it and pulls it away', {
  tag: ['@phone', '@all'],
}, async ({ page }) => {
  const author = await signIn(await openBeside(page))
  const photo = { bytes: await photoWithGps(1600, 1200), name: 'port.jpg', type: 'image/jpeg' }
  const { id } = await sealThrough(author, {
    title: 'Le port',
    visibility: 'public',
    reveal_date: new Date(Date.now() - 1_000).toISOString(),
    file_url: await sendFile(author, 'images', photo),
  })
  await cameBefore(page)
  await page.goto(`${origin()}/revelation/${id}`)
  await page.getByRole('button', { name: 'Voir l’image en plein écran' }).tap()
  const viewer = page.getByRole('dialog', { name: 'Image de la révélation Le port' })
  await expect(viewer.getByRole('button', { name: 'Agrandir' })).toBeEnabled()

  const device = await page.context().newCDPSession(page)
  let timestamp = Date.now() / 1000
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', places: Place[] = []) =>
    device.send('Input.dispatchTouchEvent', {
      type,
      timestamp,
      touchPoints: places.map(([x, y], id) => ({ x, y, id })),
    })
  const gesture = async (placesAfter: (step: number) => Place[]) => {
    // Two touches within the third of a second are a double tap, which no hand does by accident.
    timestamp += 1
    await touch('touchStart', placesAfter(0))
    for (let step = 1; step <= 12; step += 1) await touch('touchMove', placesAfter(step))
    await touch('touchEnd')
  }
  const image = viewer.getByRole('img', { name: 'Le port' })
  const left = async () => (await image.boundingBox())?.x ?? 0
  const status = viewer.getByRole('status')

  await gesture((step) => [
    [160 - step * 8, 400],
    [200 + step * 8, 400],
  ])
  await expect(status).toHaveText(/^Agrandie/)
  const before = await left()
  await gesture((step) => [[180 - step * 5, 400]])
  await expect.poll(left).toBeLessThan(before - 20)
  await gesture((step) => [
    [40 + step * 11, 400],
    [320 - step * 11, 400],
  ])
  await expect(status).toBeEmpty()
  await gesture((step) => [[180, 300 + step * 30]])
  await expect(viewer).toBeHidden()
})
