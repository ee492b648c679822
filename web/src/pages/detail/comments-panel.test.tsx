import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addComment,
  type Comment,
  type CommentInput,
  listComments,
  removeComment,
} from '#contract/comments.ts'
import { listReactions } from '#contract/reactions.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { aCommentPage, NO_REACTIONS, openPanel } from '#web/test/open-panel.tsx'
import { aComment, aUser } from '#web/test/samples.ts'

beforeAll(() => import('./detail-page.tsx'))

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
    const requests: string[] = []
    const { user, toggle } = await openPanel({
      isOpen: false,
      api: [
        answer(listComments, () => {
          requests.push('comments')
          return aCommentPage([aComment({ content: 'Un mot.' })])
        }),
      ],
    })
    expect(toggle.getAttribute('aria-expanded')).toBe('false')
    expect(requests).toEqual([])
    await user.click(toggle)
    expect(await screen.findByText('Un mot.')).toBeTruthy()
    await user.click(toggle)
    await user.click(toggle)
    expect(requests).toEqual(['comments'])
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
    const requests: Record<string, string>[] = []
    const { user } = await openPanel({
      api: [
        answer(listComments, ({ query }) => {
          requests.push(query)
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
    expect(requests).toEqual([{ limit: '10' }, { limit: '10', cursor: 'ici' }])
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
    await waitFor(() => expect(window.location.pathname).toBe('/login'))
    expect(window.history.state.usr.from.pathname).toBe(`/revelation/${revelation.id}`)
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

  test('stays, where the first ones were asked for before it and come after', async () => {
    const first = Promise.withResolvers<void>()
    let isAdded = false
    const { user } = await openPanel({
      api: [
        answer(listComments, async () => {
          await first.promise
          return aCommentPage([aComment({ id: 'a', content: 'Avant vous' })])
        }),
        answer(addComment, ({ body }) => {
          isAdded = true
          return written(body as CommentInput)
        }),
      ],
    })
    await user.type(await field(), 'Me voici')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(isAdded).toBe(true))
    first.resolve()
    expect(await screen.findByText('Avant vous')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('Envoi…')).toBeNull())
    expect(screen.getByText('Me voici')).toBeTruthy()
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
    expect(screen.getByText(/1 001 \/ 1 000/)).toBeTruthy()
    await user.click(send)
    expect(
      await screen.findByText('Le commentaire ne peut pas dépasser 1 000 caractères'),
    ).toBeTruthy()
  })
})

describe('removing a comment', () => {
  const mine = () =>
    aComment({
      id: 'mien',
      content: 'À retirer',
      author_id: aUser().id,
      author_pseudo: 'camille',
      can_delete: true,
    })

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
    let requests = 0
    const { user } = await openPanel({
      api: [
        answer(listComments, () => {
          requests += 1
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
    await waitFor(() => expect(requests).toBe(2))
  })

  test('of somebody else is found behind « … », for the author of the revelation', async () => {
    const { user } = await openPanel({
      api: [
        answer(listComments, aCommentPage([aComment({ content: 'Déplacé', can_delete: true })])),
        answer(removeComment, { success: true as const }),
      ],
    })
    await user.click(
      await screen.findByRole('button', { name: 'Plus d’actions pour le commentaire de @paul' }),
    )
    await user.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    await waitFor(() => expect(screen.queryByText('Déplacé')).toBeNull())
  })
})
