import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { base64Of } from '#contract/proofs/bytes.ts'
import { getCheckpoint, getConsistency, getLogKeys } from '#contract/proofs/endpoints.ts'
import { emptyMemory, rememberedOf } from '#contract/proofs/log-memory.ts'
import { bytesFor, forkOf, logOfItems, TestLog } from '#contract/test/log.ts'
import { storedMemory } from '#web/features/proofs/log-memory-store.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'

const log = logOfItems(40)

beforeAll(() =>
  Promise.all([
    import('./proof-page.tsx'),
    import('./compare-with-log.ts'),
    import('./comparisons.tsx'),
    import('./remembered-checkpoints.tsx'),
  ]),
)
beforeEach(() => localStorage.clear())

const consistency = answer(getConsistency, ({ query }) => ({
  from: Number(query.from),
  to: Number(query.to),
  hashes: log.consistency(Number(query.from), Number(query.to)).map(base64Of),
}))

/** Pastes it into the page of a log of forty leaves; answers what is said of it. */
async function compare(pasted: string, consistencyAnswer = consistency): Promise<HTMLElement> {
  const user = renderPage('/preuve', {
    api: [
      answer(getLogKeys, { origin: log.origin, key: log.key, statement: null, statements: [] }),
      http.get(`${window.location.origin}${getCheckpoint.url}`, () =>
        HttpResponse.text(log.checkpoint()),
      ),
      http.get(`${window.location.origin}/verificateur.sha256`, () =>
        HttpResponse.text(`${'a'.repeat(64)}  verificateur.html\n`),
      ),
      consistencyAnswer,
    ],
  })
  await user.click(await screen.findByLabelText('Le point de contrôle, ou tout le bas de l’e-mail'))
  await user.paste(pasted)
  await user.click(screen.getByRole('button', { name: 'Vérifier' }))
  const panel = screen.getByRole('region', { name: 'Un point de contrôle reçu par e-mail' })
  await within(panel).findAllByText(
    /^(Les \d|L’inscription|Le journal n’a|Ces? (deux )?points?|Aucun)/,
  )
  return panel
}

function remembered() {
  return rememberedOf(storedMemory.read() ?? emptyMemory(), log.origin)
}

test('a checkpoint of this log is in it, however the mail was quoted, and is kept as mailed', async () => {
  const quoted = `Bonjour,\n${log.checkpoint(12)}`.replaceAll(/^/gm, '> ')
  const panel = within(await compare(quoted))
  panel.getByText(
    'Les 12 inscriptions de ce point de contrôle sont toujours au journal, inchangées.',
  )
  panel.getByText(/le début du journal signé de 40 inscriptions ; 28 inscriptions faites depuis ne/)
  const kept = within(screen.getByRole('region', { name: 'Ce que ce navigateur garde' }))
  kept.getByText(/^Relié · collé ici le/)
  kept.getByText(/^Relié · rencontré sur une page le/)
  expect(
    remembered()
      .held.map(({ source }) => source)
      .toSorted(),
  ).toEqual(['mailed', 'met'])
})

test('several checkpoints of one paste are each compared and kept', async () => {
  const panel = within(await compare(`${log.checkpoint(12)}\n\n${log.checkpoint(20)}`))
  panel.getByText(/^Les 12 inscriptions/)
  panel.getByText(/^Les 20 inscriptions/)
  expect(remembered().held).toHaveLength(3)
})

test.each([12, 40])('a checkpoint of a fork of %i leaves is told apart, and kept', async (size) => {
  const panel = within(await compare(forkOf(3, size).checkpoint()))
  panel.getByText('Ces deux points de contrôle ne peuvent pas appartenir au même journal.')
  panel.getByText(/Gardez cet e-mail/)
  const kept = within(screen.getByRole('region', { name: 'Ce que ce navigateur garde' }))
  kept.getByText('Le journal s’est contredit')
  kept.getByRole('button', { name: 'Télécharger les deux points de contrôle' })
  expect(remembered().contradictions).toHaveLength(1)
})

test('a log that denies a size it signed was set back', async () => {
  const denied = answer(getConsistency, refusal('not_found'))
  const panel = within(await compare(logOfItems(50).checkpoint(), denied))
  panel.getByText('Ces deux points de contrôle ne peuvent pas appartenir au même journal.')
  panel.getByText('50 inscriptions alors, 40 inscriptions aujourd’hui.')
})

test('what another key signed is no checkpoint of this log, and is kept nowhere', async () => {
  const other = new TestLog(log.origin, bytesFor('another seed'))
  other.append(bytesFor('a leaf'))
  const panel = within(await compare(other.checkpoint()))
  panel.getByText('Ce point de contrôle ne porte pas la signature du journal.')
  expect(remembered().held.map(({ note }) => note)).toEqual([log.checkpoint()])
  expect(remembered().contradictions).toEqual([])
})

test('what is no checkpoint is said to be none', async () => {
  const panel = within(await compare('Bonjour, 12 personnes vous attendent.'))
  panel.getByText('Aucun point de contrôle dans ce texte.')
})

test('a log that does not answer is not accused, and what was pasted waits here', async () => {
  const silent = answer(getConsistency, refusal('unexpected'))
  const panel = within(await compare(log.checkpoint(12), silent))
  panel.getByText('Le journal n’a pas répondu.')
  within(screen.getByRole('region', { name: 'Ce que ce navigateur garde' })).getByText(
    /^Pas encore relié · collé ici/,
  )
})

test('the key, the last checkpoint and the format stand there to be kept', async () => {
  await compare(log.checkpoint(12))
  const panel = within(screen.getByRole('region', { name: 'La clé du journal' }))
  panel.getByText(log.key)
  panel.getByText(/example\/log 40 /)
  const format = screen.getByRole('link', { name: /^Le format des preuves/ })
  expect(format.getAttribute('href')).toBe('/format-de-preuve.md')
  const verifier = within(screen.getByRole('region', { name: 'Le vérificateur' }))
  await verifier.findByText('a'.repeat(64))
  verifier.getByText('Empreinte (SHA-256) de verificateur.html')
  verifier.getByText(/^sed .* \| sha256sum$/)
})
