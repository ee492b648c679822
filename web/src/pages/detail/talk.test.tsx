import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addComment,
  type Comment,
  type CommentInput,
  type CommentPage,
  listComments,
  removeComment,
} from '#contract/comments.ts'
import { addReaction, listReactions, type Reactions, removeReactions } from '#contract/reactions.ts'
import { type Envelope, getRevelation, recordView } from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aComment, anEnvelope, aUser } from '#web/test/samples.ts'

beforeAll(() => Promise.all([import('./detail-page.tsx'), import('./talk.tsx')]))

const NO_REACTIONS: Reactions = { reactions: [], summary: [] }

function aCommentPage(comments: Comment[], rest: Partial<CommentPage> = {}): CommentPage {
  return { comments, total: comments.length, next_cursor: null, ...rest }
}

interface Scene {
  revelation?: Partial<Envelope>
  /** A visitor otherwise. */
  isSignedIn?: boolean
  api?: RequestHandler[]
  isOpen?: boolean
}

/** The page of a revelation with its panel open, before a server that knows no comment and no reaction. */
async function openPanel({
  revelation = {},
  isSignedIn = true,
  api = [],
  isOpen = true,
}: Scene = {}) {
  const shown = anEnvelope({
    can: { edit: false, delete: false, react: isSignedIn, comment: isSignedIn },
    ...revelation,
  })
  const user = renderPage(`/revelation/${shown.id}`, {
    ...(isSignedIn && { user: aUser() }),
    api: [
      ...api,
      answer(getRevelation, { revelation: shown }),
      answer(recordView, { views_count: 1 }),
      answer(listComments, aCommentPage([])),
      answer(listReactions, NO_REACTIONS),
    ],
  })
  const toggle = await screen.findByRole('button', { name: 'Réactions et commentaires' })
  if (isOpen) await user.click(toggle)
  return { user, revelation: shown, toggle }
}

function written({ id = 'x', content, revelation_id }: CommentInput): {
  id: string
  comment: Comment
} {
  const comment = aComment({
    id,
    revelation_id,
    content,
    author_id: 'user-camille',
    author_pseudo: 'camille',
    can_delete: true,
  })
  return { id, comment }
}

function field() {
  return screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Votre commentaire' })
}

describe('the panel', () => {
  test('is closed at first, and asks for nothing before it is opened', async () => {
    const asked: string[] = []
    const { user, toggle } = await openPanel({
      isOpen: false,
      api: [
        answer(listComments, () => {
          asked.push('comments')
          return aCommentPage([aComment({ content: 'Un mot.' })])
        }),
      ],
    })
    expect(toggle.getAttribute('aria-expanded')).toBe('false')
    expect(asked).toEqual([])
    await user.click(toggle)
    expect(await screen.findByText('Un mot.')).toBeTruthy()
    await user.click(toggle)
    await user.click(toggle)
    expect(asked).toEqual(['comments'])
  })

  test('says when there is no comment yet', async () => {
    await openPanel()
    expect(await screen.findByText('Aucun commentaire pour l’instant.')).toBeTruthy()
  })

  test('loses no key, however fast they come', async () => {
    await openPanel()
    const textbox = await field()
    for (const text of ['É', 'Éc', 'Écr']) {
      fireEvent.input(textbox, { target: { value: text } })
      expect(textbox.value).toBe(text)
    }
  })

  test('loads ten, then more when asked', async () => {
    const asked: Record<string, string>[] = []
    const { user } = await openPanel({
      api: [
        answer(listComments, ({ query }) => {
          asked.push(query)
          return query.cursor
            ? aCommentPage([aComment({ content: 'Le plus ancien' })], { total: 11 })
            : aCommentPage([aComment({ content: 'Le plus récent' })], {
                total: 11,
                next_cursor: 'ici',
              })
        }),
      ],
    })
    expect(await screen.findByText('11')).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Charger plus de commentaires' }))
    expect(await screen.findByText('Le plus ancien')).toBeTruthy()
    expect(screen.getByText('Le plus récent')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Charger plus de commentaires' })).toBeNull()
    expect(asked).toEqual([{ limit: '10' }, { limit: '10', cursor: 'ici' }])
  })

  test('says what cannot be loaded and why, and tries again', async () => {
    let isDown = true
    const { user } = await openPanel({
      api: [
        answer(listComments, () =>
          isDown ? refusal('not_ready') : aCommentPage([aComment({ content: 'Enfin.' })]),
        ),
        answer(listReactions, () => (isDown ? refusal('not_ready') : NO_REACTIONS)),
      ],
    })
    const why = 'Le service démarre. Réessayez dans un instant.'
    const comments = (await screen.findByText('Impossible de charger les commentaires')).closest(
      '[role=alert]',
    )
    expect(comments?.textContent).toContain(why)
    expect(await screen.findByText(`Impossible de charger les réactions: ${why}`)).toBeTruthy()
    isDown = false
    for (const retry of screen.getAllByRole('button', { name: 'Réessayer' }))
      await user.click(retry)
    expect(await screen.findByText('Enfin.')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText(/Impossible/)).toBeNull())
  })

  test('keeps line breaks, links nothing by itself, and folds what is very long', async () => {
    const long = Array.from({ length: 12 }, (_, line) => `Ligne ${line}`).join('\n')
    const { user } = await openPanel({
      api: [
        answer(
          listComments,
          aCommentPage([
            aComment({
              content: 'Voyez https://exemple.be\net voilà',
              author_id: 'user-noemie',
              author_pseudo: 'noemie',
            }),
            aComment({ content: long }),
          ]),
        ),
      ],
    })
    const short = await screen.findByText(/Voyez/)
    expect(short.textContent).toBe('Voyez https://exemple.be\net voilà')
    expect(short.className).toContain('whitespace-pre-wrap')
    expect(screen.queryByRole('link', { name: /exemple\.be/ })).toBeNull()
    expect(screen.getByText('Auteur')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Lire la suite' }))
    expect(screen.queryByRole('button', { name: 'Lire la suite' })).toBeNull()
  })
})

describe('a visitor', () => {
  test('reads, and is told how to comment', async () => {
    const { user, revelation } = await openPanel({ isSignedIn: false })
    expect(await screen.findByText('Vous devez être connecté pour commenter')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Votre commentaire' })).toBeNull()
    expect(screen.queryByRole('button', { name: /Supprimer le commentaire/ })).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Se connecter' }))
    expect(window.location.pathname).toBe('/login')
    expect(window.history.state.usr.from.pathname).toBe(`/revelation/${revelation.id}`)
  })

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

describe('writing a comment', () => {
  test('is seen at once, then kept; the draft survives closing the panel', async () => {
    let arrive = () => {}
    const sent: CommentInput[] = []
    const { user, toggle } = await openPanel({
      api: [
        answer(addComment, async ({ body }) => {
          sent.push(body as CommentInput)
          await new Promise<void>((resolve) => {
            arrive = resolve
          })
          return written(body as CommentInput)
        }),
      ],
    })
    await user.type(await field(), '  Bravo !  ')
    await user.click(toggle)
    await user.click(toggle)
    expect((await field()).value).toBe('  Bravo !  ')
    await user.click(screen.getByRole('button', { name: 'Envoyer le commentaire' }))
    expect(await screen.findByText('Bravo !')).toBeTruthy()
    expect(screen.getByText('Envoi…')).toBeTruthy()
    expect((await field()).value).toBe('')
    expect(screen.getByRole('list', { name: 'Activité' }).textContent).toContain('1 commentaire')
    await waitFor(() => expect(sent).toHaveLength(1))
    arrive()
    await waitFor(() => expect(screen.queryByText('Envoi…')).toBeNull())
    expect(screen.getAllByText('Bravo !')).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      content: 'Bravo !',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('that fails keeps its text, says so, and is sent again as the same one', async () => {
    const sent: CommentInput[] = []
    const { user } = await openPanel({
      api: [
        answer(addComment, ({ body }) => {
          sent.push(body as CommentInput)
          return sent.length === 1 ? refusal('too_many_requests') : written(body as CommentInput)
        }),
      ],
    })
    await user.type(await field(), 'À demain')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText("Erreur lors de l'envoi du commentaire")).toBeTruthy()
    expect(
      screen.getByText('Trop de demandes. Patientez un instant avant de réessayer.'),
    ).toBeTruthy()
    expect(screen.getByText('À demain')).toBeTruthy()
    await waitFor(() =>
      expect(screen.getByRole('list', { name: 'Activité' }).textContent).toContain('0 commentaire'),
    )
    await user.click(screen.getByRole('button', { name: 'Réessayer' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    await waitFor(() => expect(screen.queryByText(/Erreur/)).toBeNull())
    expect(sent[1]).toEqual(sent[0])
    expect(screen.getAllByText('À demain')).toHaveLength(1)
  })

  test('that is refused goes back to the field to be changed', async () => {
    const { user } = await openPanel({
      api: [
        answer(addComment, () =>
          refusal('invalid_input', { content: 'Ce texte contient des caractères illisibles' }),
        ),
      ],
    })
    await user.type(await field(), 'Étrange')
    await user.click(screen.getByRole('button', { name: 'Envoyer le commentaire' }))
    expect(await screen.findByText('Ce texte contient des caractères illisibles')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Modifier' }))
    expect((await field()).value).toBe('Étrange')
    expect(screen.queryByText("Erreur lors de l'envoi du commentaire")).toBeNull()
  })

  test('is not possible with blanks, and stops at a thousand characters', async () => {
    const { user } = await openPanel()
    const send = await screen.findByRole<HTMLButtonElement>('button', {
      name: 'Envoyer le commentaire',
    })
    await user.type(await field(), '   ')
    expect(send.disabled).toBe(true)
    await user.click(await field())
    await user.paste('a'.repeat(1001))
    expect(screen.getByText(/1001 \/ 1000/)).toBeTruthy()
    await user.click(send)
    expect(
      await screen.findByText('Le commentaire ne peut pas dépasser 1000 caractères'),
    ).toBeTruthy()
  })
})

describe('removing a comment', () => {
  const mine = () =>
    aComment({ id: 'mien', content: 'À retirer', author_pseudo: 'camille', can_delete: true })

  test('takes it away at once', async () => {
    const removed: string[] = []
    const { user } = await openPanel({
      api: [
        answer(listComments, aCommentPage([mine(), aComment({ content: 'Un autre' })])),
        answer(removeComment, ({ params }) => {
          removed.push(String(params.id))
          return { success: true as const }
        }),
      ],
    })
    await user.click(
      await screen.findByRole('button', { name: 'Supprimer le commentaire de @camille' }),
    )
    expect(screen.queryByText('À retirer')).toBeNull()
    expect(screen.getByText('Commentaire supprimé')).toBeTruthy()
    expect(document.activeElement?.textContent).toContain('Commentaires')
    await waitFor(() => expect(removed).toEqual(['mien']))
    expect(screen.queryByText('À retirer')).toBeNull()
    expect(screen.queryByRole('button', { name: /Supprimer le commentaire/ })).toBeNull()
  })

  test('that fails says so and reads the list again', async () => {
    let asked = 0
    const { user } = await openPanel({
      api: [
        answer(listComments, () => {
          asked += 1
          return aCommentPage([mine()])
        }),
        answer(removeComment, () => refusal('not_ready')),
      ],
    })
    await user.click(
      await screen.findByRole('button', { name: 'Supprimer le commentaire de @camille' }),
    )
    expect(await screen.findByText('Erreur lors de la suppression')).toBeTruthy()
    expect(await screen.findByText('À retirer')).toBeTruthy()
    await waitFor(() => expect(asked).toBe(2))
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
    const asked: unknown[] = []
    const { user } = await openPanel({
      api: [
        answer(addReaction, ({ body }) => {
          asked.push(body)
          return summary(true, 1)
        }),
        answer(removeReactions, ({ query }) => {
          asked.push(query)
          return summary(false, 0)
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Sous le charme' }))
    const pressed = await screen.findByRole('button', { name: /^Sous le charme/, pressed: true })
    expect(screen.getByRole('list', { name: 'Activité' }).textContent).toContain('1 réaction')
    await waitFor(() => expect(asked).toHaveLength(1))
    await user.click(pressed)
    await screen.findByRole('button', { name: /^Sous le charme/, pressed: false })
    await waitFor(() => expect(asked).toHaveLength(2))
    expect(asked[1]).toEqual({ emoji: '😍' })
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
    const shown = anEnvelope({ can: { edit: false, delete: false, react: true, comment: true } })
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
