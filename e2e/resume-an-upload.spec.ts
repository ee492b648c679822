import { createHash, randomBytes } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { OpenUpload } from '#contract/uploads.ts'
import { colourVideo } from '#testing/media-files.ts'
import { untilStored } from './device.ts'
import { test } from './journey.ts'
import { origin, type Person, sealWritten, signIn } from './people.ts'

const MB = 1024 * 1024
const PART = 8 * MB
const TITLE = 'Le film de la traversée'

const UPLOAD = '**/api/uploads/*'
const LOST = 'Connexion perdue. L’envoi reprend dès que possible.'

test('a video outlives a lost network and a closed tab, and arrives byte for byte', {
  tag: ['@phone', '@all'],
}, async ({ page }) => {
  const author = await signIn(page)
  const film = await bigVideo()
  const offsets = noteOffsets(page)
  await page.goto(`${origin()}/create?vue=tout`)
  await page.getByLabel('Titre').fill(TITLE)
  await page.getByLabel('Contenu').fill('Nous y étions.')
  const received = await cutInTheMiddle(page, author, film)
  expect(received).toBeGreaterThanOrEqual(PART)

  await untilStored(page, '"hasFile":true')

  // As a phone that went dark: the page is gone, what has arrived is not.
  await page.goto('about:blank')
  await page.context().setOffline(false)
  offsets.length = 0
  // The draft comes back, and its film goes on its way by itself.
  await page.goto(`${origin()}/create?vue=tout`)
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue(TITLE)
  await expect(page.getByText('Upload terminé')).toBeVisible()
  expect(offsets[0], 'from where the server had it').toBe(received)
  await page.getByRole('button', { name: 'Sans extrait' }).click()

  await page.getByLabel('E-mail du destinataire').fill(author.email)
  await sealWritten(page)
  const sent = createHash('sha256').update(film.buffer).digest('hex')
  expect(await servedSum(page, author)).toBe(sent)
  expect(await waitingUploads(author)).toEqual([])
})

type Film = Awaited<ReturnType<typeof bigVideo>>

/** Chooses a film, and loses the network once its first part has arrived; how much of it the server has. */
async function cutInTheMiddle(page: Page, author: Person, film: Film): Promise<number> {
  const firstPart = page.waitForResponse(
    (response) => response.request().method() === 'PATCH' && response.status() === 204,
  )
  // The second part leaves once the network is lost, however fast the first one was.
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  let parts = 0
  await page.route(UPLOAD, async (route) => {
    if (route.request().method() === 'PATCH') parts += 1
    if (parts > 1) await lost
    await route.continue()
  })
  await page.getByLabel('Joindre un fichier').setInputFiles(film)
  await expect(page.getByText('Envoi du fichier')).toBeVisible()
  await firstPart
  await page.context().setOffline(true)
  lose()
  await expect(page.getByText(LOST)).toBeVisible()
  await expect(page.getByText(/film\.mp4\s» sont arrivés/)).toBeVisible()
  await page.unroute(UPLOAD)
  const [upload] = await waitingUploads(author)
  return upload?.received ?? 0
}

/** Where each part that leaves begins. */
function noteOffsets(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return offsets
}

/** A playable film, padded with data that players skip. */
async function bigVideo() {
  const film = await colourVideo({ seconds: 3, audio: true })
  const size = 20 * MB
  const box = Buffer.alloc(8)
  box.writeUInt32BE(size)
  box.write('free', 4)
  const buffer = Buffer.concat([film, box, randomBytes(size - 8)])
  return { name: 'film.mp4', mimeType: 'video/mp4', buffer }
}

/** What its author is served while it waits, as the page that edits it reads it. */
async function servedSum(page: Page, { token }: Person): Promise<string> {
  const id = page.url().split('/').at(-1)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${origin()}/api/revelations/${id}`, { headers })
  const { revelation } = (await answer.json()) as { revelation: { video_edit_url: string } }
  const file = await fetch(origin() + revelation.video_edit_url, { headers })
  return createHash('sha256')
    .update(Buffer.from(await file.arrayBuffer()))
    .digest('hex')
}

async function waitingUploads({ token }: Person): Promise<OpenUpload[]> {
  const answer = await fetch(`${origin()}/api/uploads`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { uploads: OpenUpload[] }).uploads
}
