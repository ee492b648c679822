import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { addReaction, listReactions, type Reactions, removeReactions } from '#contract/reactions.ts'
import { getRevelation } from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { openPanel } from '#web/test/open-panel.tsx'
import { anEnvelope, nothingAllowed } from '#web/test/samples.ts'

beforeAll(() => import('./detail-page.tsx'))

describe('a visitor', () => {
  test('reaches the emoji with the keyboard, and is told how to react', async () => {
    const { user } = await openPanel({ isSignedIn: false })
    const heart = await screen.findByRole('button', { name: 'J’adore' })
    expect(heart.getAttribute('aria-disabled')).toBe('true')
    const description = document.getElementById(heart.getAttribute('aria-describedby') ?? '')
    expect(description?.textContent).toBe('Vous devez être connecté pour réagir')
    heart.focus()
    await user.keyboard('{Enter}')
    const hint = await screen.findByRole('dialog', { name: 'Vous devez être connecté pour réagir' })
    expect(within(hint).getByRole('link', { name: 'Se connecter' })).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(heart))
  })
})

describe('reacting', () => {
  const summary = (reacted: boolean, count: number): Reactions => ({
    reactions: [],
    summary: count
      ? [{ emoji: '😍', count, reacted, pseudos: ['ana', 'bob', 'cid'].slice(0, count) }]
      : [],
  })

  test('names the first three, then how many others', async () => {
    await openPanel({ api: [answer(listReactions, summary(false, 7))] })
    const people = await screen.findByRole('list', { name: 'Qui a réagi' })
    expect(people.textContent).toContain('@ana, @bob, @cid et 4 autre(s)')
    expect(
      screen.getByRole('button', { name: 'Sous le charme, 7' }).getAttribute('aria-pressed'),
    ).toBe('false')
  })

  test('counts at once, and takes back with a second tap', async () => {
    const requests: unknown[] = []
    const { user } = await openPanel({
      api: [
        answer(addReaction, ({ body }) => {
          requests.push(body)
          return summary(true, 1)
        }),
        answer(removeReactions, ({ query }) => {
          requests.push(query)
          return summary(false, 0)
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Sous le charme' }))
    const pressed = await screen.findByRole('button', { name: /^Sous le charme/, pressed: true })
    expect(screen.getByRole('list', { name: 'Activité' }).textContent).toContain('1 réaction')
    await waitFor(() => expect(requests).toHaveLength(1))
    await user.click(pressed)
    await screen.findByRole('button', { name: /^Sous le charme/, pressed: false })
    await waitFor(() => expect(requests).toHaveLength(2))
    expect(requests[1]).toEqual({ emoji: '😍' })
    expect(screen.getByRole('list', { name: 'Activité' }).textContent).toContain('0 réaction')
  })

  test('again and again ends where the last tap ended, however slow the server is', async () => {
    const answers: (() => void)[] = []
    const slowly = async (reactions: Reactions) => {
      await new Promise<void>((resolve) => answers.push(resolve))
      return reactions
    }
    const { user } = await openPanel({
      api: [
        answer(addReaction, () => slowly(summary(true, 1))),
        answer(removeReactions, () => slowly(summary(false, 0))),
      ],
    })
    const emoji = await screen.findByRole('button', { name: 'Sous le charme' })
    await user.click(emoji)
    await user.click(emoji)
    await waitFor(() => expect(answers).toHaveLength(1))
    answers[0]?.()
    await waitFor(() => expect(answers).toHaveLength(2))
    expect(emoji.getAttribute('aria-pressed')).toBe('false')
    answers[1]?.()
    await screen.findByRole('button', { name: 'Sous le charme', pressed: false })
    expect(screen.getByRole('list', { name: 'Activité' }).textContent).toContain('0 réaction')
  })

  test('with an emoji behind « + »: the keyboard reaches it, Escape closes it', async () => {
    const left: unknown[] = []
    const { user } = await openPanel({
      api: [
        answer(addReaction, ({ body }): Reactions => {
          left.push((body as { emoji: string }).emoji)
          return {
            reactions: [],
            summary: [{ emoji: '👍', count: 1, reacted: true, pseudos: ['camille'] }],
          }
        }),
      ],
    })
    const more = await screen.findByRole('button', { name: 'Autres réactions' })
    expect(screen.queryByRole('button', { name: 'D’accord' })).toBeNull()
    more.focus()
    await user.keyboard('{Enter}')
    const popover = await screen.findByRole('dialog', { name: 'Autres réactions' })
    expect(within(popover).getAllByRole('button')).toHaveLength(4)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(more))
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('button', { name: 'D’accord' }))
    expect(await screen.findByRole('button', { name: /^D’accord/, pressed: true })).toBeTruthy()
    await waitFor(() => expect(left).toEqual(['👍']))
  })

  test('that fails says so, and reads the truth again', async () => {
    const { user } = await openPanel({ api: [answer(addReaction, () => refusal('not_ready'))] })
    await user.click(await screen.findByRole('button', { name: 'Bravo' }))
    expect(await screen.findByText('Erreur lors de la réaction')).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Bravo', pressed: false })).toBeTruthy()
    await waitFor(() =>
      expect(screen.getByRole('list', { name: 'Activité' }).textContent).toContain('0 réaction'),
    )
  })

  test('that meets a closed door shows nothing any more', async () => {
    let isHidden = false
    const shown = anEnvelope({ can: { ...nothingAllowed(), react: true, comment: true } })
    const { user } = await openPanel({
      revelation: shown,
      api: [
        answer(getRevelation, () => (isHidden ? refusal('not_found') : { revelation: shown })),
        answer(addReaction, () => refusal('not_found')),
      ],
    })
    isHidden = true
    await user.click(await screen.findByRole('button', { name: 'Bravo' }))
    expect(await screen.findByRole('heading', { name: 'Rien à cette adresse' })).toBeTruthy()
  })

  test('with the heart under the revelation, for whoever is signed in', async () => {
    const { user } = await openPanel({
      isOpen: false,
      api: [
        answer(addReaction, {
          reactions: [],
          summary: [{ emoji: '❤️', count: 1, reacted: true, pseudos: ['camille'] }],
        }),
      ],
    })
    await user.click(screen.getByRole('button', { name: 'J’adore' }))
    expect(await screen.findByRole('button', { name: 'J’adore', pressed: true })).toBeTruthy()
  })

  test('has no heart for a visitor', async () => {
    await openPanel({ isSignedIn: false, isOpen: false })
    expect(screen.queryByRole('button', { name: 'J’adore' })).toBeNull()
  })
})
