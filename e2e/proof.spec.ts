import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type Download, expect, type Locator, type Page } from '@playwright/test'
import { pdf } from '#testing/media-files.ts'
import type { AnyProof } from '../contract/src/proofs/proof.ts'
import { itemOf, logOfItems, proofOf } from '../contract/test/log.ts'
import { test } from './journey.ts'
import { openBeside, origin, type Person, sealThrough, sendFile, signIn } from './people.ts'

const PLAN = { name: 'plan.pdf', type: 'application/pdf', bytes: pdf() }
const LETTER = 'Le pont rouvrira avant la Saint-Nicolas.'
const RIGHT = /^Tout concorde.*cette lettre est celle qui a été scellée \(version 1\)/
/** All but the dates, which nothing contradicts, and the memory: this browser has not met the log yet. */
const STEPS = 9
const WRONG = 'Quelque chose ne concorde pas.'

interface Sealed {
  id: string
  path: string
  proof: AnyProof
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
  let proof: AnyProof | undefined
  await expect(async () => {
    proof = await (await fetch(`${origin()}/api/revelations/${id}/proof`)).json()
    expect(proof && isOpenAndLogged(proof)).toBe(true)
  }).toPass()
  return { id, path: `/revelation/${id}`, proof: proof as AnyProof }
}

/** Whether everybody may read the letter, and its version has its place in the log. */
function isOpenAndLogged(proof: AnyProof): boolean {
  if (proof.format === 'revelations.app/proof/v1')
    return proof.opening !== null && proof.versions[0]?.leaf !== null
  const [leaf] = proof.leaves
  const isOpen = leaf?.format === 2 && leaf.fields.every((field) => !('hash' in field))
  return isOpen && leaf.index !== null
}

/** The same proof with the first place in the log moved by one. */
function shifted(proof: AnyProof): AnyProof {
  if (proof.format === 'revelations.app/proof/v1') {
    const versions = proof.versions.map((version) => ({
      ...version,
      leaf: (version.leaf ?? 0) + 1,
    }))
    return { ...proof, versions }
  }
  const leaves = proof.leaves.map((leaf) => ({ ...leaf, index: (leaf.index ?? 0) + 1 }))
  return { ...proof, leaves }
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
  await expect(panel.getByRole('listitem').filter({ hasText: /^Vérifié/ })).toHaveCount(STEPS)
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
    await route.fulfill({ json: shifted(await (await route.fetch()).json()) })
  })
  const panel = await verify(page, path)
  await expect(panel.getByText(WRONG)).toBeVisible()
  // What is not in the log as it is told is not what was sealed either.
  await expect(panel.getByRole('listitem').filter({ hasText: /^Ne concorde pas/ })).toHaveText([
    /L’inscription au journal/,
    /Le titre, le texte et la date/,
  ])
})

/** The page that was downloaded, opened from the disk, with the network cut. */
async function checkOffline(page: Page, verifier: string, exported: string): Promise<void> {
  await page.context().setOffline(true)
  await page.goto(pathToFileURL(verifier).href)
  await expect(page.getByText(/^Ce vérificateur vérifie les preuves de/)).toBeVisible()
  await page.getByLabel('La preuve').setInputFiles(exported)
  await expect(page.getByText('il manque le fichier.')).toBeVisible()
  const file = { name: PLAN.name, mimeType: PLAN.type, buffer: PLAN.bytes }
  await page.getByLabel(/^Les fichiers de la révélation/).setInputFiles(file)
  await expect(page.getByText(RIGHT)).toBeVisible()
  await expect(page.getByText(LETTER)).toBeVisible()

  await page.getByLabel(/^Des points de contrôle/).fill('Bonjour.')
  await expect(page.getByText('Aucun point de contrôle dans ce texte.')).toBeVisible()
  const proof: AnyProof = JSON.parse(await readFile(exported, 'utf8'))
  await page.getByLabel(/^Des points de contrôle/).fill(proof.checkpoint ?? '')
  await expect(page.getByText(/il ne montre rien de plus\. Il en faut un qui vienne/)).toBeVisible()

  const forged = exported.replace('.json', '-autre.json')
  await writeFile(
    forged,
    JSON.stringify(proof).replaceAll(LETTER, LETTER.replace('avant', 'après')),
  )
  await page.getByLabel('La preuve').setInputFiles(forged)
  await expect(page.getByText(WRONG)).toBeVisible()

  // Whoever has a key of their own writes what they like, and it is never green here.
  const invented = exported.replace('.json', '-invente.json')
  await writeFile(invented, JSON.stringify(proofOf(logOfItems(3), itemOf(1), 1)))
  await page.getByLabel('La preuve').setInputFiles(invented)
  await expect(page.getByText(/^Clé inconnue.*rien n’est prouvé/)).toBeVisible()
  await expect(page.getByText('Ce que cette preuve affirme')).toBeVisible()
  await page.context().close()
}

/** The checkpoint of a mail, pasted and compared with today’s log. */
async function compareCheckpoints(page: Page, own: string): Promise<void> {
  await page.goto(`${origin()}/preuve`)
  for (const [pasted, sentence] of [
    [own, 'toujours au journal, inchangée'],
    [logOfItems(3).checkpoint(), 'Ce point de contrôle ne porte pas la signature du journal.'],
    ['Bonjour, à demain !', 'Aucun point de contrôle dans ce texte.'],
  ] as const) {
    await page.getByLabel('Le point de contrôle, ou tout le bas de l’e-mail').fill(pasted)
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await expect(page.getByText(sentence)).toBeVisible()
  }
}
