import { screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { base64Of } from '#contract/proofs/bytes.ts'
import { getConsistency, getProof } from '#contract/proofs/endpoints.ts'
import type { Proof } from '#contract/proofs/proof.ts'
import { getRevelation, recordView } from '#contract/revelations.ts'
import { bytesFor, itemOf, leafIn, logOfItems, proofOf, TestLog } from '#contract/test/log.ts'
import { lastCheckpoint } from '#web/features/proofs/verify-here.ts'
import { answer } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, anOpenLetter } from '#web/test/samples.ts'

const log = logOfItems(40)
const item = itemOf(10)
const proof = proofOf(log, item, 10)
const commitment = proof.versions[0]?.commitment ?? ''
const { id, title, content } = item.facts
const shown = { id, title, commitment, prediction: null }

beforeAll(() => import('./detail-page.tsx'))
beforeEach(() => localStorage.clear())

/** Opens the page of the item and asks for its verification; answers the panel. */
async function verify(
  answered: Proof,
  shownContent: string | null = content,
): Promise<HTMLElement> {
  const revelation =
    shownContent === null
      ? anEnvelope(shown)
      : anOpenLetter({ ...shown, content: shownContent, reveal_date: item.facts.revealAt })
  const user = renderPage(`/revelation/${id}`, {
    api: [
      answer(getRevelation, { revelation }),
      answer(recordView, { views_count: 1 }),
      answer(getProof, answered),
      answer(getConsistency, ({ query }) => ({
        from: Number(query.from),
        to: Number(query.to),
        hashes: log.consistency(Number(query.from), Number(query.to)).map(base64Of),
      })),
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Le sceau' }))
  await user.click(screen.getByRole('button', { name: 'Vérifier' }))
  const panel = screen.getByRole('region', { name: 'Le sceau' })
  await within(panel).findByText('Historique')
  return panel
}

test('an open letter is recomputed here, step by step, and its checkpoint is remembered', async () => {
  const panel = within(await verify(proof))
  panel.getByText(/ce que vous lisez est ce qui a été scellé/)
  expect(panel.getAllByText(/^Vérifié/)).toHaveLength(5)
  panel.getByText(/Inscription n° 11 au journal/)
  expect(lastCheckpoint.read()).toEqual({ key: proof.key, checkpoint: proof.checkpoint })
})

test('what is on the screen is compared, not what the proof repeats', async () => {
  const panel = within(await verify(proof, `${content} Ou presque.`))
  panel.getByText('Quelque chose ne concorde pas.')
  panel.getByText(/quelque chose a changé depuis/)
  expect(lastCheckpoint.read()).toBeUndefined()
})

test('before the instant it verifies what can be, and says what will be', async () => {
  const panel = within(await verify({ ...proof, opening: null }, null))
  panel.getByText('Tout ce qui peut être vérifié maintenant concorde.')
  panel.getByText(/La lettre est encore scellée/)
  panel.getByText(/Chaque version est inscrite au journal/)
})

test('a log that only grew since the last visit is the same log', async () => {
  lastCheckpoint.write({ key: log.key, checkpoint: log.checkpoint(12) })
  const panel = within(await verify(proof))
  panel.getByText(/contient toujours, inchangé/)
})

test('a log that was rewritten since the last visit is told, and never becomes the one remembered', async () => {
  const forked = new TestLog()
  for (let number = 0; number < 12; number += 1) {
    forked.append(number === 3 ? bytesFor('another') : leafIn(itemOf(number)))
  }
  const earlier = { key: log.key, checkpoint: forked.checkpoint() }
  lastCheckpoint.write(earlier)
  const panel = within(await verify(proof))
  panel.getByText(/ne peuvent pas appartenir au même journal/)
  expect(lastCheckpoint.read()).toEqual(earlier)
})
