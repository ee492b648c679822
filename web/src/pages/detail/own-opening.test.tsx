import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { listComments } from '#contract/comments.ts'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { listReactions } from '#contract/reactions.ts'
import {
  getRevelation,
  type OpenRevelation,
  openRevelation,
  type Revelation,
  recordView,
} from '#contract/revelations.ts'
import { answer } from '#web/test/fake-api.ts'
import { aCommentPage, NO_REACTIONS } from '#web/test/open-panel.tsx'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, anOpenLetter, anOwnRevelation, aUser, inDays } from '#web/test/samples.ts'

beforeAll(() => import('./detail-page.tsx'))
afterEach(() => vi.useRealTimers())

const KEY = 'n_orl3Ypvrc47VXXcm7Y'
const SEAL = 'Briser le sceau et ouvrir la lettre'
const CONTENT = 'La clé est sous le pot de géraniums.'

/** A letter that waits for its reader, and a server that remembers their act. */
function meet(
  changes: Partial<OpenRevelation['opening']> = {},
  options: { link?: boolean; user?: ReturnType<typeof aUser> } = {},
) {
  const acts: { tells: boolean | undefined; key: string | null }[] = []
  let letter = anOpenLetter({
    content: CONTENT,
    visibility: 'private',
    reveal_date: inDays(-3.1),
    opening: { needed: true, opened_at: null, tells_author: true, ...changes },
  })
  const user = renderPage(`/revelation/${letter.id}${options.link ? `#cle=${KEY}` : ''}`, {
    ...(options.user && { user: options.user }),
    api: [
      answer(getRevelation, () => ({ revelation: letter })),
      answer(openRevelation, ({ body, headers }) => {
        const opened_at = new Date().toISOString()
        acts.push({
          tells: (body as { tell_author?: boolean } | null)?.tell_author,
          key: headers.get(DELIVERY_KEY_HEADER),
        })
        letter = { ...letter, opening: { ...letter.opening, needed: false, opened_at } }
        return { opened_at }
      }),
      answer(recordView, { views_count: 7 }),
      answer(listReactions, NO_REACTIONS),
      answer(listComments, aCommentPage([])),
    ],
  })
  return { user, acts, id: letter.id }
}

describe('a letter that waits for its reader', () => {
  test('is sealed, says since when, and opens by a key in one step', async () => {
    const { user, acts } = meet({}, { link: true })
    expect(await screen.findByText('Elle vous attend depuis 3 jours')).toBeTruthy()
    expect(screen.queryByText(CONTENT)).toBeNull()
    expect(screen.queryByText('Réactions et commentaires')).toBeNull()
    screen.getByRole('button', { name: SEAL }).focus()
    await user.keyboard('{Enter}')
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    expect(screen.getByText('La révélation vient de s’ouvrir.')).toBeTruthy()
    await waitFor(() => expect(acts).toEqual([{ tells: true, key: KEY }]))
  })

  test('opens by a tap, and by a finger that holds the seal, not by one that lets go', async () => {
    const { acts } = meet({}, { user: aUser() })
    const seal = await screen.findByRole('button', { name: SEAL })
    const at = (timeStamp: number) => ({ button: 0, timeStamp })
    const stamped = (event: Event, { timeStamp }: { timeStamp: number }) =>
      Object.defineProperty(event, 'timeStamp', { value: timeStamp })
    fireEvent(seal, stamped(new PointerEvent('pointerdown', { bubbles: true }), at(1_000)))
    fireEvent(seal, stamped(new PointerEvent('pointerup', { bubbles: true }), at(1_600)))
    expect(await screen.findByText(/Le sceau s’est refermé/)).toBeTruthy()
    expect(acts).toEqual([])
    fireEvent(seal, stamped(new PointerEvent('pointerdown', { bubbles: true }), at(2_000)))
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    await waitFor(() => expect(acts).toHaveLength(1))
  })

  test('keeps the act from the author for whoever would rather not tell', async () => {
    const { user, acts } = meet({}, { user: aUser() })
    expect(await screen.findByText(/saura que vous l’avez ouverte/)).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'Ne pas le dire' }))
    expect(screen.getByText(/ne saura pas/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: SEAL }))
    await waitFor(() => expect(acts).toEqual([{ tells: false, key: null }]))
  })

  test('asks a friend nothing of the sort', async () => {
    meet({ tells_author: false }, { user: aUser() })
    expect(await screen.findByRole('button', { name: SEAL })).toBeTruthy()
    expect(screen.queryByRole('radio')).toBeNull()
  })

  test('that a link opened on another device is new to this one', async () => {
    const { user } = meet({ needed: false, opened_at: inDays(-1) }, { link: true })
    await user.click(await screen.findByRole('button', { name: SEAL }))
    expect(await screen.findByText(CONTENT)).toBeTruthy()
  })

  test('that an account opened elsewhere is open, and can be seen opening again', async () => {
    const { user, acts } = meet({ needed: false, opened_at: inDays(-1) }, { user: aUser() })
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    expect(document.querySelector('.reveal-animation')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Revoir l’ouverture' }))
    expect(document.querySelector('.reveal-animation')).toBeTruthy()
    await user.keyboard('a')
    await waitFor(() => expect(document.querySelector('.reveal-animation')).toBeNull())
    expect(acts).toEqual([])
  })

  test('waits sealed for whoever comes back long after the instant that their page awaited', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const sealed = anEnvelope({
      visibility: 'private',
      reveal_date: new Date(Date.now() + 3_600_000).toISOString(),
    })
    let shown: Revelation = sealed
    renderPage(`/revelation/${sealed.id}`, {
      user: aUser(),
      api: [
        answer(getRevelation, () => ({ revelation: shown })),
        answer(recordView, { views_count: 7 }),
      ],
    })
    expect(await screen.findByText('Révélation en attente')).toBeTruthy()
    const opening = { needed: true, opened_at: null, tells_author: true }
    const { id, reveal_date } = sealed
    shown = { ...anOpenLetter({ content: CONTENT, opening }), id, reveal_date }
    // The device slept through the instant.
    vi.setSystemTime(Date.now() + 3 * 86_400_000)
    await act(() => vi.advanceTimersByTimeAsync(4_000))
    expect(await screen.findByRole('button', { name: SEAL })).toBeTruthy()
    expect(screen.queryByText(CONTENT)).toBeNull()
  })

  test('that opened before the eyes of its addressee asks whether to tell the author', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const acts: unknown[] = []
    const opening = { needed: true, opened_at: null, tells_author: true }
    let shown: Revelation = anEnvelope({
      visibility: 'private',
      reveal_date: new Date(Date.now() + 3000).toISOString(),
    })
    const { id, reveal_date } = shown
    renderPage(`/revelation/${id}`, {
      user: aUser(),
      api: [
        answer(getRevelation, () => ({ revelation: shown })),
        answer(openRevelation, ({ body }) => {
          acts.push(body)
          return { opened_at: new Date().toISOString() }
        }),
        answer(recordView, { views_count: 7 }),
      ],
    })
    expect(await screen.findByText('Révélation en attente')).toBeTruthy()
    shown = { ...anOpenLetter({ content: CONTENT, opening }), id, reveal_date }
    await act(() => vi.advanceTimersByTimeAsync(4500))
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    expect(acts).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Ne pas le dire' }))
    await waitFor(() => expect(acts).toEqual([{ tell_author: false }]))
    expect(screen.queryByRole('button', { name: 'Le dire' })).toBeNull()
    expect(screen.getByText(CONTENT)).toBeTruthy()
  })
})

describe('a public letter', () => {
  /** Its page, before the instant or after it. */
  function visit(revelation: Revelation, user?: ReturnType<typeof aUser>) {
    const acts: unknown[] = []
    const person = renderPage(`/revelation/${revelation.id}`, {
      ...(user && { user }),
      api: [
        answer(getRevelation, { revelation }),
        answer(openRevelation, ({ body }) => {
          acts.push(body)
          return { opened_at: new Date().toISOString() }
        }),
        answer(recordView, { views_count: 7 }),
        answer(listReactions, NO_REACTIONS),
        answer(listComments, aCommentPage([])),
      ],
    })
    return { person, acts }
  }

  const opened = (id: string) => ({ ...anOpenLetter({ content: CONTENT }), id })

  test.each([
    ['a visitor', undefined, []],
    ['an account', aUser(), [{ tell_author: true }]],
  ])(
    'opens once by hand for %s who waited on its page, and then at once',
    async (_, user, acts) => {
      const sealed = anEnvelope()
      visit(sealed, user)
      expect(await screen.findByText('Révélation en attente')).toBeTruthy()
      cleanup()
      const back = visit(opened(sealed.id), user)
      const seal = await screen.findByRole('button', { name: SEAL })
      expect(screen.queryByText(CONTENT)).toBeNull()
      expect(screen.queryByText(/saura que vous/)).toBeNull()
      await back.person.click(seal)
      expect(await screen.findByText(CONTENT)).toBeTruthy()
      await waitFor(() => expect(back.acts).toEqual(acts))
      cleanup()
      visit(opened(sealed.id), user)
      expect(await screen.findByText(CONTENT)).toBeTruthy()
      expect(screen.queryByRole('button', { name: SEAL })).toBeNull()
    },
  )

  test('is open for whoever was not there, for its author, and where an account opened it elsewhere', async () => {
    visit(opened('jamais-vue'))
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    cleanup()
    const own = anOwnRevelation({ content: CONTENT })
    visit(own, aUser())
    expect(await screen.findByText('Révélation en attente')).toBeTruthy()
    cleanup()
    visit({ ...own, is_revealed: true, reveal_date: inDays(-1) }, aUser())
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    expect(screen.queryByRole('button', { name: SEAL })).toBeNull()
    cleanup()
    const sealed = anEnvelope()
    visit(sealed, aUser())
    expect(await screen.findByText('Révélation en attente')).toBeTruthy()
    cleanup()
    const opening = { needed: false, opened_at: inDays(0), tells_author: false }
    visit({ ...opened(sealed.id), opening }, aUser())
    expect(await screen.findByText(CONTENT)).toBeTruthy()
    expect(screen.queryByRole('button', { name: SEAL })).toBeNull()
  })
})
