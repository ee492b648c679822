import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { notifyRevelation } from '#contract/deliveries.ts'
import { getUser } from '#contract/profiles.ts'
import { createRevelation } from '#contract/sealing.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { dayFromNow } from '#web/features/revelations/reveal-moment.ts'
import { draftFor, type RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { saveDraft } from '#web/test/draft-samples.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anOwnRevelation, aUser } from '#web/test/samples.ts'
import { findRecap, findSealed, sealingDoor } from '#web/test/sealing-door.ts'

const author = aUser()
const revelation = anOwnRevelation({ id: 'la-nouvelle' })

beforeAll(() => import('./create-page.tsx'))
beforeEach(() => {
  fakeServer.use(
    answer(getUser, myProfile({ total_revelations: 2 })),
    answer(getSubscription, aSubscription()),
    answer(notifyRevelation, { queued: true }),
  )
})

/** The recap of a letter that lacks nothing but its seal. */
async function unfold(rest: Partial<RevelationDraft> = {}, door = sealingDoor({ revelation })) {
  const wish = { kind: undefined, visibility: undefined, addressee: undefined }
  saveDraft(author.id, {
    ...draftFor('Europe/Brussels', wish, author.email),
    ...{ title: 'Ce qui sera', content: 'Nous vivrons à Lisbonne.', day: '2099-01-01' },
    ...{ recipients: [{ email: 'lea@exemple.be', name: 'Léa' }], ...rest },
  })
  const user = renderPage('/create?vue=tout', { user: author, api: door.handlers })
  await user.click(await screen.findByRole('button', { name: 'Relire avant de sceller' }))
  const recap = await findRecap()
  return { user, recap, seal: recap.getByRole('button', { name: 'Sceller' }), ...door }
}

const stage = () => document.querySelector<HTMLElement>('.seal-scene')?.dataset.stage

/** A finger on it from one moment to another. */
function press(seal: HTMLElement, ms: number, check: () => void = () => undefined): void {
  const at = (type: string, timeStamp: number) =>
    Object.defineProperty(new PointerEvent(type, { bubbles: true }), 'timeStamp', {
      value: timeStamp,
    })
  fireEvent(seal, at('pointerdown', 1_000))
  check()
  fireEvent(seal, at('pointerup', 1_000 + ms))
}

test('a finger that holds the seal folds the letter, and seals it; one that lets go reopens it', async () => {
  const { recap, seal, sealed } = await unfold()
  press(seal, 450, () => expect(stage()).toBe('held'))
  expect(recap.getByRole('status').textContent).toMatch(/^Le pli s’est rouvert/)
  expect([stage(), sealed]).toEqual(['open', []])
  press(seal, 500)
  await findSealed()
  expect(sealed).toHaveLength(1)
})

test('the keyboard seals, and the seal is pressed once the answer is there, not before', async () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const { handlers, ...door } = sealingDoor({ revelation })
  const slow = answer(createRevelation, async () => {
    asked.resolve()
    await answered.promise
    return { revelation }
  })
  const { user, recap, seal } = await unfold({}, { ...door, handlers: [slow, ...handlers] })
  seal.focus()
  await user.keyboard('{Enter}')
  await asked.promise
  await waitFor(() => expect(stage()).toBe('waxing'))
  expect(seal.getAttribute('aria-busy')).toBe('true')
  expect(recap.getByRole('status').textContent).toBe('Le sceau se pose')
  answered.resolve()
  await findSealed()
})

test('a refusal unfolds the letter, and has the focus', async () => {
  const { user, recap, seal } = await unfold({}, sealingDoor({ refused: refusal('plan_limit') }))
  await user.click(seal)
  const notice = await recap.findByRole('alert')
  expect(notice.textContent).toMatch(/Votre plan gratuit permet 5 révélations/)
  await waitFor(() => expect(document.activeElement?.contains(notice)).toBe(true))
  expect(document.activeElement).not.toBe(document.body)
  expect(stage()).toBe('open')
})

test('a letter that opens at once is asked for once more, in words', async () => {
  const today = dayFromNow(0, 'Europe/Brussels')
  const { user, recap, seal, sealed } = await unfold({ day: today, time: '00:00' })
  await user.click(seal)
  expect(recap.getByText(/^Elle s’ouvre tout de suite\. Sceller quand même/)).toBeTruthy()
  expect(sealed).toEqual([])
  await user.click(recap.getByRole('button', { name: 'Sceller quand même' }))
  await findSealed()
  expect(sealed).toHaveLength(1)
})

test.each([
  ['Changer le titre et le texte', () => screen.getByLabelText('Titre')],
  ['Changer la date', () => screen.getByRole('textbox', { name: /^Quand/ })],
  ['Changer qui la voit', () => screen.getByRole('radio', { name: 'Public' })],
  ['Changer ce qui est dit maintenant', () => screen.getByRole('checkbox', { name: /^Prévenir/ })],
])('« %s » leads to where it is written', async (name, field) => {
  const { user, recap } = await unfold()
  await user.click(recap.getByRole('button', { name }))
  await waitFor(() => expect(document.activeElement).toBe(field()))
})
