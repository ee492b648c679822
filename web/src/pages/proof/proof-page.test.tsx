import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeAll, test } from 'vitest'
import { base64Of } from '#contract/proofs/bytes.ts'
import { getCheckpoint, getConsistency, getLogKey } from '#contract/proofs/endpoints.ts'
import { bytesFor, forkOf, logOfItems, TestLog } from '#contract/test/log.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'

const log = logOfItems(40)

beforeAll(() => Promise.all([import('./proof-page.tsx'), import('./compare-with-log.ts')]))

function text(path: string, body: string) {
  return http.get(`${window.location.origin}${path}`, () => HttpResponse.text(body))
}

const consistency = answer(getConsistency, ({ query }) => ({
  from: Number(query.from),
  to: Number(query.to),
  hashes: log.consistency(Number(query.from), Number(query.to)).map(base64Of),
}))

/** Pastes it into the page of a log of forty leaves; answers what is said of it. */
async function compare(pasted: string, consistencyAnswer = consistency): Promise<HTMLElement> {
  const user = renderPage('/preuve', {
    api: [
      text(getLogKey.url, `${log.key}\n`),
      text(getCheckpoint.url, log.checkpoint()),
      consistencyAnswer,
    ],
  })
  await user.click(await screen.findByLabelText('Le point de contrôle, ou tout le bas de l’e-mail'))
  await user.paste(pasted)
  await user.click(screen.getByRole('button', { name: 'Vérifier' }))
  const panel = screen.getByRole('region', { name: 'Un point de contrôle reçu par e-mail' })
  await within(panel).findAllByText(/^(Le journal n’a|Ces? (deux )?points?|Aucun point)/)
  return panel
}

test('a checkpoint of this log is in it, however the mail was quoted', async () => {
  const quoted = `Bonjour,\n${log.checkpoint(12)}`.replaceAll(/^/gm, '> ')
  const panel = within(await compare(quoted))
  panel.getByText('Le journal n’a pas été réécrit.')
  panel.getByText('12 inscriptions alors, 40 aujourd’hui.')
})

test.each([12, 40])('a checkpoint of a fork of %i leaves is told apart, and kept', async (size) => {
  const panel = within(await compare(forkOf(3, size).checkpoint()))
  panel.getByText('Ces deux points de contrôle ne peuvent pas appartenir au même journal.')
  panel.getByText(/Gardez cet e-mail/)
})

test('a log that denies a size it signed was set back', async () => {
  const denied = answer(getConsistency, refusal('not_found'))
  const panel = within(await compare(logOfItems(50).checkpoint(), denied))
  panel.getByText('Ces deux points de contrôle ne peuvent pas appartenir au même journal.')
  panel.getByText('50 inscriptions alors, 40 aujourd’hui.')
})

test('what another key signed is no checkpoint of this log', async () => {
  const other = new TestLog(log.origin, bytesFor('another seed'))
  other.append(bytesFor('a leaf'))
  const panel = within(await compare(other.checkpoint()))
  panel.getByText('Ce point de contrôle ne porte pas la signature du journal.')
})

test('what is no checkpoint is said to be none', async () => {
  const panel = within(await compare('Bonjour, 12 personnes vous attendent.'))
  panel.getByText('Aucun point de contrôle dans ce texte.')
})

test('a log that does not answer is not accused', async () => {
  const silent = answer(getConsistency, refusal('unexpected'))
  const panel = within(await compare(log.checkpoint(12), silent))
  panel.getByText('Le journal n’a pas répondu.')
})

test('the key and the last checkpoint stand there to be kept', async () => {
  await compare(log.checkpoint(12))
  const panel = within(screen.getByRole('region', { name: 'La clé du journal' }))
  panel.getByText(log.key)
  panel.getByText(/example\/log 40 /)
})
