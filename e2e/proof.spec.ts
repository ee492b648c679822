import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type Download, expect, type Locator, type Page } from '@playwright/test'
import { pdf } from '#testing/media-files.ts'
import type { Proof } from '../contract/src/proofs/proof.ts'
import { logOfItems } from '../contract/test/log.ts'
import { test } from './journey.ts'
import { openBeside, origin, type Person, sealThrough, sendFile, signIn } from './people.ts'

const PLAN = { name: 'plan.pdf', type: 'application/pdf', bytes: pdf() }
const LETTER = 'Le pont rouvrira avant la Saint-Nicolas.'
const RIGHT = 'Tout concorde : ce que vous lisez est ce qui a été scellé.'
const WRONG = 'Quelque chose ne concorde pas.'

interface Sealed {
  id: string
  path: string
  proof: Proof
}

/** A letter with a file, open, whose version is in the log: a minute later at most. */
async function sealAndOpen(author: Person): Promise<Sealed> {
  const { id } = await sealThrough(author, {
    title: 'Le pont',
    content: LETTER,
    visibility: 'public',
    file_url: await sendFile(author, 'documents', PLAN),
    reveal_date: new Date(Date.now() + 1_000).toISOString(),
  })
  let proof: Proof | undefined
  await expect(async () => {
    proof = await (await fetch(`${origin()}/api/revelations/${id}/proof`)).json()
    expect(proof?.opening && proof.versions[0]?.leaf).toEqual(expect.any(Number))
  }).toPass()
  return { id, path: `/revelation/${id}`, proof: proof as Proof }
}

/** Opens the panel of the seal and has everything recomputed. */
async function verify(page: Page, path: string): Promise<Locator> {
  await page.goto(origin() + path)
  const panel = page.getByRole('region', { name: 'Le sceau' })
  await panel.getByRole('button', { name: 'Le sceau' }).click()
  await panel.getByRole('button', { name: 'Vérifier' }).click()
  return panel
}

async function saved(page: Page, save: Locator, folder: string): Promise<string> {
  const [download]: [Download, unknown] = await Promise.all([
    page.waitForEvent('download'),
    save.click(),
  ])
  const file = test.info().outputPath(folder, download.suggestedFilename())
  await download.saveAs(file)
  return file
}

test('a reader checks a seal step by step, then without a network, and compares checkpoints', async ({
  page,
}) => {
  const { path, proof } = await sealAndOpen(await signIn(await openBeside(page)))

  const panel = await verify(page, path)
  await expect(panel.getByText(RIGHT)).toBeVisible()
  await expect(panel.getByRole('listitem').filter({ hasText: /^Vérifié/ })).toHaveCount(6)
  await expect(panel.getByText('octet pour octet')).toBeVisible()
  const exported = await saved(
    page,
    panel.getByRole('button', { name: 'Télécharger la preuve' }),
    'proof',
  )
  const verifier = await saved(
    page,
    panel.getByRole('link', { name: 'Télécharger le vérificateur' }),
    'page',
  )

  await checkOffline(await openBeside(page), verifier, exported)
  await compareCheckpoints(page, proof.checkpoint ?? '')
})

test('a reader sees which step of a proof fails', { tag: '@all' }, async ({ page }) => {
  const { path } = await sealAndOpen(await signIn(await openBeside(page)))
  await page.route('**/api/revelations/*/proof', async (route) => {
    const proof = await (await route.fetch()).json()
    const [version] = proof.versions
    await route.fulfill({ json: { ...proof, versions: [{ ...version, leaf: version.leaf + 1 }] } })
  })
  const panel = await verify(page, path)
  await expect(panel.getByText(WRONG)).toBeVisible()
  await expect(panel.getByRole('listitem').filter({ hasText: /^Ne concorde pas/ })).toHaveText(
    /L’inscription au journal/,
  )
})

/** The page that was downloaded, opened from the disk, with the network cut. */
async function checkOffline(page: Page, verifier: string, exported: string): Promise<void> {
  await page.context().setOffline(true)
  await page.goto(pathToFileURL(verifier).href)
  await expect(page.getByRole('heading', { name: 'Vérificateur' })).toBeVisible()
  await page.getByLabel('La preuve').setInputFiles(exported)
  await expect(page.getByText('Tout ce qui peut être vérifié maintenant concorde.')).toBeVisible()
  const file = { name: PLAN.name, mimeType: PLAN.type, buffer: PLAN.bytes }
  await page.getByLabel(/^Le fichier de la révélation/).setInputFiles(file)
  await expect(page.getByText(RIGHT)).toBeVisible()
  await expect(page.getByText(LETTER)).toBeVisible()

  await page.getByLabel(/^Un point de contrôle/).fill('Bonjour.')
  await expect(page.getByText('Aucun point de contrôle dans ce texte.')).toBeVisible()
  const proof: Proof = JSON.parse(await readFile(exported, 'utf8'))
  await page.getByLabel(/^Un point de contrôle/).fill(proof.checkpoint ?? '')
  await expect(page.getByText('La mémoire du journal')).toBeVisible()

  const altered = {
    ...proof,
    opening: { ...proof.opening, content: LETTER.replace('avant', 'après') },
  }
  const forged = exported.replace('.json', '-autre.json')
  await writeFile(forged, JSON.stringify(altered))
  await page.getByLabel('La preuve').setInputFiles(forged)
  await expect(page.getByText(WRONG)).toBeVisible()
  await page.context().close()
}

/** The checkpoint of a mail, pasted and compared with today’s log. */
async function compareCheckpoints(page: Page, own: string): Promise<void> {
  await page.goto(`${origin()}/preuve`)
  for (const [pasted, sentence] of [
    [own, 'Le journal n’a pas été réécrit.'],
    [logOfItems(3).checkpoint(), 'Ce point de contrôle ne porte pas la signature du journal.'],
    ['Bonjour, à demain !', 'Aucun point de contrôle dans ce texte.'],
  ] as const) {
    await page.getByLabel('Le point de contrôle, ou tout le bas de l’e-mail').fill(pasted)
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await expect(page.getByText(sentence)).toBeVisible()
  }
}
