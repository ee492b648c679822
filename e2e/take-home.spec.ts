import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { pdf } from '#testing/media-files.ts'
import { readZip } from '#testing/read-zip.ts'
import { findCheckpoints, readCheckpoint } from '../contract/src/proofs/checkpoint.ts'
import type { ProofV2 } from '../contract/src/proofs/proof.ts'
import { fieldsWith, letterOf, proofV2Of, seal } from '../contract/test/letters.ts'
import { bytesFor, TestLog } from '../contract/test/log.ts'
import { test } from './journey.ts'
import { mailTo } from './mails.ts'
import {
  getJson,
  openBeside,
  origin,
  type Person,
  putJson,
  sealThrough,
  sendFile,
  signIn,
} from './people.ts'

const PLAN = { name: 'plan.pdf', type: 'application/pdf', bytes: pdf() }
const BRIDGE = 'Le pont rouvrira avant la Saint-Nicolas.'
const OPENED_MAIL = /^La lettre que vous vous étiez écrite/
const WRONG = 'Quelque chose ne concorde pas.'

const right = (version: number) =>
  new RegExp(`^Tout concorde.*cette lettre est celle qui a été scellée \\(version ${version}\\)`)

async function sealThree(author: Person) {
  const sealed = await sealThrough(author, { visibility: 'private', title: 'Pour dans un an' })
  // Whoever gets a mail from now on is given what this made of the log.
  await expect(async () => {
    expect((await fetch(`${origin()}/api/proofs/checkpoint`)).status).toBe(200)
  }).toPass()
  const opened = await sealThrough(author, {
    title: 'Le pont',
    content: BRIDGE,
    visibility: 'friends',
    file_url: await sendFile(author, 'documents', PLAN),
    reveal_date: new Date(Date.now() + 1_000).toISOString(),
  })
  // The log grows after it: a checkpoint that stands in the proof too would show nothing more.
  await mailTo(author.email, OPENED_MAIL)
  const prediction = await sealThrough(author, { visibility: 'public', title: 'La finale' })
  const edit = { title: 'La finale, et son vainqueur' }
  await putJson(`/api/revelations/${prediction.id}`, edit, author.token)
  const ids = [sealed.id, opened.id, prediction.id]
  await expect(async () => {
    for (const id of ids) {
      const { leaves }: ProofV2 = await getJson(`/api/revelations/${id}/proof`, author)
      expect(leaves.every(({ index }) => index !== null)).toBe(true)
    }
  }).toPass()
  return { sealed, opened, prediction }
}

/** Everything of this account, by the button of its page, as files of a folder. */
async function takeHome(page: Page): Promise<string> {
  await page.goto(`${origin()}/profile?onglet=parametres`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Tout télécharger (ZIP)' }).click(),
  ])
  const folder = test.info().outputPath('home')
  for (const [name, bytes] of readZip(await readFile(await download.path()))) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }
  return folder
}

/** A browser that reaches nothing but the disk. */
async function openOffline(page: Page): Promise<{ home: Page; asked: string[] }> {
  const home = await openBeside(page)
  const asked: string[] = []
  await home.context().setOffline(true)
  await home.route(/^(?!file:)/, (route) => {
    asked.push(route.request().url())
    return route.abort()
  })
  return { home, asked }
}

/** Somebody’s own log under the name of the site, with a letter of 1999. */
function invented(site: string): ProofV2 {
  const own = new TestLog(site, bytesFor('a key of one’s own'))
  const letter = letterOf('invented')
  const sealedAt = '1999-01-01T00:00:00.000Z'
  seal(own, letter, { kind: 'create', version: 1, sealedAt, fields: fieldsWith() })
  return proofV2Of(own, letter, { dated: { signedAt: new Date().toISOString(), v2From: 0 } })
}

test('what an account takes home is verified without a network, in three steps', {
  tag: '@all',
}, async ({ page }) => {
  const author = await signIn(page)
  const { opened } = await sealThree(author)
  const folder = await takeHome(page)
  const { home, asked } = await openOffline(page)
  const verdicts = home.locator('#result .verdict')
  const text = await readFile(path.join(folder, 'LISEZ-MOI.txt'), 'utf8')
  const readMe = text.replaceAll(/[\u202F\u00A0]/g, ' ')
  const filesIn = async (name: string) =>
    (await readdir(path.join(folder, name))).map((file) => path.join(folder, name, file))

  // 1. Open the page.
  expect(readMe).toContain(
    '1. Décompressez l’archive, puis ouvrez verificateur.html dans un navigateur.',
  )
  await home.goto(pathToFileURL(path.join(folder, 'verificateur.html')).href)
  await expect(home.getByText(/^Ce vérificateur vérifie les preuves de/)).toBeVisible()
  // 2. Give it the proofs.
  expect(readMe).toMatch(/2\. Donnez-lui .* « preuves ».* dans « La preuve » : il dit/)
  await home.getByLabel('La preuve').setInputFiles(await filesIn('preuves'))
  await expect(verdicts).toHaveCount(3)
  await expect(verdicts.filter({ hasText: 'il manque le fichier.' })).toHaveCount(1)
  // 3. Give it the files, and read the first sentence of each verdict.
  expect(readMe).toMatch(/3\. Donnez-lui .* « fichiers ».* « Les fichiers de la révélation »/)
  await home.getByLabel(/^Les fichiers de la révélation/).setInputFiles(await filesIn('fichiers'))
  await expect(verdicts.filter({ hasText: right(1) })).toHaveCount(2)
  await expect(verdicts.filter({ hasText: right(2) })).toHaveCount(1)
  await expect(home.getByText('3 preuves\u202F: 3 concordent.')).toBeVisible()
  await home.locator('details', { hasText: BRIDGE }).locator('summary').click()
  await expect(home.getByText(BRIDGE)).toBeVisible()
  // The key is the one that the text names.
  const [origin0 = '', id = ''] =
    (await home.locator('#known').textContent())
      ?.match(/preuves de (\S+)\. .*clé (\w{8})/)
      ?.slice(1) ?? []
  expect(readMe).toContain(`${origin0}+${id}+`)

  await expectMailedToCount(home, { folder, opened, author })
  await expectNoneGreen(home, { folder, opened, site: origin0 })
  expect(asked).toEqual([])
})

interface AtHome {
  folder: string
  opened: { id: string }
}

/** What came with the mail of the letter, given beside its proof. */
async function expectMailedToCount(
  home: Page,
  { folder, opened, author }: AtHome & { author: Person },
): Promise<void> {
  const { attachments } = await mailTo(author.email, OPENED_MAIL)
  const mailed = attachments['preuve.txt'] ?? ''
  const file = path.join(folder, 'preuves', `preuve-${opened.id}.json`)
  const proof = JSON.parse(await readFile(file, 'utf8')) as ProofV2
  const size = readCheckpoint(findCheckpoints(mailed)[0] ?? '')?.size ?? 0
  const isLinked =
    size === readCheckpoint(proof.checkpoint ?? '')?.size ||
    proof.consistency?.some(({ from }) => from === size)
  await home.getByLabel('La preuve').setInputFiles(file)
  await home.getByLabel(/^Des points de contrôle/).fill(mailed)
  await expect(home.getByText('La mémoire du journal')).toBeVisible()
  const said = isLinked ? right(1) : 'il manque la réponse du journal.'
  await expect(home.locator('#result .verdict')).toContainText(said)
}

async function expectNoneGreen(
  home: Page,
  { folder, opened, site }: AtHome & { site: string },
): Promise<void> {
  const proof = await readFile(path.join(folder, 'preuves', `preuve-${opened.id}.json`), 'utf8')
  for (const [content, sentence] of [
    [proof.replace('avant la', 'après la'), WRONG],
    [JSON.stringify(invented(site)), 'Clé inconnue\u202F: rien n’est prouvé.'],
  ] as const) {
    const buffer = Buffer.from(content)
    const file = { name: 'preuve.json', mimeType: 'application/json', buffer }
    await home.getByLabel('La preuve').setInputFiles(file)
    await expect(home.locator('#result .verdict')).toContainText(sentence)
    await expect(home.locator('.proved, li.passed')).toHaveCount(0)
    await expect(home.getByText('Ce que cette preuve affirme')).toBeVisible()
  }
}
