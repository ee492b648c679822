import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { castVote, declareOutcome, withdrawVote } from '#contract/predictions.ts'
import { getUser } from '#contract/profiles.ts'
import {
  getRevelation,
  listRevelations,
  type OwnRevelation,
  recordView,
} from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { aProfile, aRecord, someStats } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import {
  anEnvelope,
  anOpenLetter,
  anOwnRevelation,
  aPage,
  aPrediction,
  aUser,
  inDays,
  nothingAllowed,
} from '#web/test/samples.ts'

beforeAll(() =>
  Promise.all([import('./predictions-page.tsx'), import('#web/pages/detail/detail-page.tsx')]),
)

const DECLARED = {
  outcome: 'fulfilled',
  source_url: 'https://www.meteo.be/fr/climat',
  declared_at: inDays(-1),
  changed_at: null,
  former_outcome: null,
} as const

test('the list of predictions shows what is to come and what has opened, by date, and asks for no more', async () => {
  const requests: Record<string, string>[] = []
  const user = renderPage('/predictions', {
    api: [
      answer(listRevelations, ({ query }) => {
        requests.push(query)
        const opened = anOpenLetter({ title: 'La finale', prediction: aPrediction() })
        return aPage([query.status === 'revealed' ? opened : anEnvelope({ title: 'Le podium' })])
      }),
    ],
  })
  await screen.findByRole('heading', { name: 'Le podium' })
  await user.click(screen.getByRole('tab', { name: 'Dévoilées' }))
  const card = within(
    (await screen.findByRole('heading', { name: 'La finale' })).closest('li') as HTMLElement,
  )
  expect(card.getByText('L’auteur n’a pas encore déclaré d’issue.')).toBeTruthy()
  expect(card.queryByRole('button', { name: /Réalisée/ })).toBeNull()
  await user.selectOptions(screen.getByLabelText('Issue'), 'Ratée')
  await waitFor(() => expect(requests).toHaveLength(3))
  const opened = {
    ...{ kind: 'prediction', visibility: 'public', status: 'revealed', sort: 'latest_revealed' },
  }
  expect(requests).toEqual([
    { kind: 'prediction', visibility: 'public', status: 'pending', sort: 'soonest' },
    opened,
    { ...opened, outcome: 'failed' },
  ])
  expect(window.location.search).toBe('?onglet=devoilees&issue=failed')
})

test('a vote is seen at once, changed, taken back, and undone where it is refused', async () => {
  const can = { ...nothingAllowed(), vote: true }
  const prediction = aPrediction({ votes: { fulfilled: 2, partly: 0, failed: 1, undecidable: 0 } })
  const voted = anOpenLetter({ title: 'La finale', can, prediction })
  const sent: unknown[] = []
  const user = renderPage('/predictions?onglet=devoilees', {
    user: aUser(),
    api: [
      answer(listRevelations, aPage([voted])),
      answer(getRevelation, { revelation: voted }),
      answer(castVote, ({ body }) => {
        sent.push(body)
        if (sent.length > 1) return refusal('not_a_prediction')
        const votes = { ...prediction.votes, partly: 1 }
        return { prediction: { ...prediction, votes, my_vote: 'partly' as const } }
      }),
      answer(withdrawVote, { prediction }),
    ],
  })
  const button = (name: RegExp) => screen.findByRole('button', { name })
  await user.click(await button(/^En partie/))
  const mine = await button(/^En partie, 1\svote/)
  expect(mine.getAttribute('aria-pressed')).toBe('true')
  await user.click(mine)
  await button(/^En partie, 0\svote/)
  await user.click(await button(/^Ratée/))
  expect(await screen.findByText(/Seule une prédiction publique et dévoilée/)).toBeTruthy()
  await button(/^Ratée, 1\svote/)
  expect(sent).toEqual([{ outcome: 'partly' }, { outcome: 'failed' }])
})

test('the page of a prediction says what its author declared, the source, and the record of the author', async () => {
  const declared = { ...DECLARED, changed_at: inDays(0), former_outcome: 'failed' as const }
  const revelation = anOpenLetter({ prediction: aPrediction({ declared }) })
  const outcomes = { fulfilled: 4, partly: 1, failed: 2, undecidable: 0 }
  const record = aRecord({ sealed: 12, revealed: 9, withdrawn: 1, outcomes, undeclared: 2 })
  renderPage(`/revelation/${revelation.id}`, {
    api: [
      answer(getRevelation, { revelation }),
      answer(recordView, { views_count: 1 }),
      answer(getUser, aProfile({ stats: someStats({ record }) })),
    ],
  })
  const source = await screen.findByRole('link', { name: /Source\s: meteo\.be/ })
  expect(source.getAttribute('rel')).toContain('nofollow ugc noopener')
  expect(screen.getByText(/modifiée le/).textContent).toMatch(/avant\s: ratée/)
  expect(screen.getByText('Connectez-vous pour voter')).toBeTruthy()
  const bilan = within(await screen.findByRole('region', { name: 'Le bilan public de @noemie' }))
  expect(bilan.getByText(/12\sscellées · 9\sdévoilées · 1\sretirée/)).toBeTruthy()
  expect(bilan.getByText(/4\sréalisées, 1\sen partie, 2\sratées, 2\ssans issue/)).toBeTruthy()
})

test('the author of a prediction declares its outcome, and is told when the source is no address', async () => {
  const own: OwnRevelation = anOwnRevelation({
    is_revealed: true,
    reveal_date: inDays(-1),
    prediction: aPrediction(),
    can: { ...nothingAllowed(), declare: true },
  })
  const sent: unknown[] = []
  const user = renderPage(`/revelation/${own.id}`, {
    user: aUser(),
    api: [
      answer(getRevelation, { revelation: own }),
      answer(recordView, { views_count: 1 }),
      answer(declareOutcome, ({ body }) => {
        sent.push(body)
        return { prediction: aPrediction({ declared: DECLARED }) }
      }),
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Déclarer l’issue' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Déclarer l’issue' }))
  await user.click(dialog.getByRole('radio', { name: /^Réalisée/ }))
  await user.type(dialog.getByLabelText(/^Source/), 'http://meteo.be')
  await user.click(dialog.getByRole('button', { name: 'Déclarer' }))
  expect(dialog.getByText(/La source est une adresse complète/)).toBeTruthy()
  await user.clear(dialog.getByLabelText(/^Source/))
  await user.type(dialog.getByLabelText(/^Source/), DECLARED.source_url)
  await user.click(dialog.getByRole('button', { name: 'Déclarer' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByRole('button', { name: 'Modifier l’issue' })).toBeTruthy()
  expect(sent).toEqual([{ outcome: 'fulfilled', source_url: DECLARED.source_url }])
})
