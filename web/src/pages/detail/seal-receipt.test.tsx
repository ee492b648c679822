import { screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { getReceipt, mailReceipt } from '#contract/receipts.ts'
import { getRevelation, type OwnRevelation, recordView } from '#contract/revelations.ts'
import { itemOf, logOfItems, proofOf } from '#contract/test/log.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anOwnRevelation, aUser, inDays } from '#web/test/samples.ts'

const receipt = proofOf(logOfItems(40), itemOf(10), 10)
const SECTION = { name: 'Rien que pour vous' }
const freshly = { created_at: inDays(0), updated_at: inDays(0) }

beforeAll(() => import('./detail-page.tsx'))

let isLogged: boolean
let asked: number
let mailed: number
beforeEach(() => {
  isLogged = true
  asked = 0
  mailed = 0
})

function open(shown: Partial<OwnRevelation>, reader = {}) {
  const revelation = anOwnRevelation(shown)
  const user = renderPage(`/revelation/${revelation.id}`, {
    user: aUser(reader),
    api: [
      answer(getRevelation, { revelation }),
      answer(recordView, { views_count: 0 }),
      answer(getReceipt, () => {
        asked += 1
        return isLogged ? receipt : refusal('receipt_pending')
      }),
      answer(mailReceipt, () => {
        mailed += 1
        return { queued: mailed === 1 }
      }),
    ],
  })
  return { user, revelation }
}

test('a letter that was just sealed shows its receipt by itself, once the log holds it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  isLogged = false
  open(freshly)
  const own = within(await screen.findByRole('region', SECTION))
  const state = await own.findByText('Le reçu arrive dans la minute.')
  expect(state.closest('[role=status]')).not.toBeNull()
  expect(own.queryByRole('button', { name: 'Télécharger le reçu' })).toBeNull()
  isLogged = true
  await vi.advanceTimersByTimeAsync(11_000)
  await own.findByText(/^Inscrite au journal/)
  expect(own.getByText(/inscription n°\s11/)).toBeTruthy()
  expect(own.getByText(/La date est celle que le site a écrite\.$/)).toBeTruthy()
  const answered = asked
  await vi.advanceTimersByTimeAsync(30_000)
  expect(asked).toBe(answered)
})

test('the receipt is saved as it came, and mailed once however often one asks', async () => {
  const saved: { blob?: Blob; name?: string } = {}
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.blob = blob as Blob
    return 'blob:receipt'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.name = this.download
  })
  const { user, revelation } = open(freshly)
  const own = within(await screen.findByRole('region', SECTION))
  await user.click(await own.findByRole('button', { name: 'Télécharger le reçu' }))
  expect(saved.name).toBe(`recu-${revelation.id}.json`)
  expect(JSON.parse((await saved.blob?.text()) ?? '')).toEqual(receipt)
  const mail = own.getByRole('button', { name: 'Recevoir le reçu par e-mail' })
  await user.click(mail)
  await screen.findByText('Le reçu part vers camille@exemple.be')
  await user.click(mail)
  await screen.findByText('Il est déjà en route vers camille@exemple.be')
})

test('an older letter of one’s own has it in the panel of its seal, and asks for none before', async () => {
  const { user } = open({}, { email_verified: false })
  await user.click(await screen.findByRole('button', { name: 'Le sceau' }))
  const panel = within(screen.getByRole('region', { name: 'Le sceau' }))
  expect(asked).toBeLessThan(2)
  await panel.findByText(/^Inscrite au journal/)
  expect(asked).toBe(1)
  // To an address that is not verified nothing is mailed.
  expect(panel.queryByRole('button', { name: 'Recevoir le reçu par e-mail' })).toBeNull()
  expect(within(screen.getByRole('region', SECTION)).queryByText(/Inscrite au journal/)).toBeNull()
})
