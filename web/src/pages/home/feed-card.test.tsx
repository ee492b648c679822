import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addComment, type CommentInput, listComments } from '#contract/comments.ts'
import { addReaction, listReactions } from '#contract/reactions.ts'
import {
  getRevelation,
  listRevelations,
  type Revelation,
  recordView,
} from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import {
  aComment,
  anEnvelope,
  anOpenLetter,
  anOwnRevelation,
  aPage,
  aUser,
  nothingAllowed,
} from '#web/test/samples.ts'

beforeAll(() =>
  Promise.all([import('./home-page.tsx'), import('#web/features/media/image-viewer.tsx')]),
)
beforeEach(() => standInForMedia({ duration: 40 }))

const can = { ...nothingAllowed(), react: true, comment: true }

function openFeed(
  revelations: Revelation[],
  { api = [], isSignedIn = true }: { api?: RequestHandler[]; isSignedIn?: boolean } = {},
) {
  return renderPage('/', {
    ...(isSignedIn && { user: aUser() }),
    api: [
      ...api,
      answer(listRevelations, aPage(revelations)),
      answer(recordView, { views_count: 1 }),
    ],
  })
}

async function cardOf(title: string) {
  const card = (await screen.findByRole('link', { name: title })).closest('article')
  if (!card) throw new Error('the title is in no card')
  return within(card)
}

describe('reacting in a card', () => {
  test('counts at once, without asking who else did', async () => {
    const user = openFeed([anEnvelope({ title: 'Un secret', reactions_count: 4, can })], {
      api: [
        answer(addReaction, {
          reactions: [],
          summary: [{ emoji: '🎉', count: 5, reacted: true, pseudos: ['camille'] }],
        }),
      ],
    })
    const card = await cardOf('Un secret')
    await user.click(card.getByRole('button', { name: 'Bravo' }))
    expect(card.getByRole('button', { name: 'Bravo', pressed: true })).toBeTruthy()
    expect(card.getByText('réactions').parentElement?.textContent).toBe('5 réactions')
    expect(window.location.pathname).toBe('/')
  })

  test('shows what I left before, also what stands behind « + »', async () => {
    openFeed([
      anEnvelope({ title: 'Un secret', my_reactions: ['❤️', '🔥'], reactions_count: 2, can }),
    ])
    const card = await cardOf('Un secret')
    expect(card.getByRole('button', { name: 'J’adore', pressed: true })).toBeTruthy()
    expect(card.getByRole('button', { name: 'Ça enflamme', pressed: true })).toBeTruthy()
    expect(card.queryByRole('button', { name: 'Sans voix' })).toBeNull()
  })

  test('takes a card away that is hidden by now', async () => {
    const user = openFeed(
      [anEnvelope({ title: 'Un secret', can }), anEnvelope({ title: 'Un autre' })],
      {
        api: [
          answer(addReaction, () => refusal('not_found')),
          answer(getRevelation, () => refusal('not_found')),
        ],
      },
    )
    const card = await cardOf('Un secret')
    await user.click(card.getByRole('button', { name: 'Bravo' }))
    expect(await screen.findByText('Erreur lors de la réaction')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('Un secret')).toBeNull())
    expect(screen.getByText('trouvée').textContent).toContain('1')
  })

  test('is out of reach for a visitor, who is told why', async () => {
    const user = openFeed([anEnvelope({ title: 'Un secret' })], { isSignedIn: false })
    const card = await cardOf('Un secret')
    await user.click(card.getByRole('button', { name: 'Autres réactions' }))
    const hint = await screen.findByRole('dialog', { name: 'Vous devez être connecté pour réagir' })
    expect(within(hint).getByRole('link', { name: 'Se connecter' })).toBeTruthy()
  })
})

describe('the quick comments of a card', () => {
  const five = Array.from({ length: 5 }, (_, index) => aComment({ content: `Mot ${index}` }))

  test('show the newest, and the way to all of them from five on', async () => {
    const revelation = anEnvelope({ title: 'Un secret', comments_count: 5, can })
    const user = openFeed([revelation], {
      api: [answer(listComments, { comments: five, total: 5, next_cursor: null })],
    })
    const card = await cardOf('Un secret')
    const toggle = card.getByRole('button', { name: '5 commentaires' })
    expect(toggle.getAttribute('aria-expanded')).toBe('false')
    await user.click(toggle)
    expect(await card.findByText('Mot 0')).toBeTruthy()
    expect(card.queryByText('Mot 4')).toBeNull()
    const all = card.getByRole('link', { name: 'Voir tous les commentaires (5)' })
    expect(all.getAttribute('href')).toBe(`/revelation/${revelation.id}`)
    await user.click(toggle)
    expect(card.queryByText('Mot 0')).toBeNull()
  })

  test('offer no such way below five', async () => {
    const user = openFeed([anEnvelope({ title: 'Un secret', comments_count: 4, can })], {
      api: [answer(listComments, { comments: five.slice(1), total: 4, next_cursor: null })],
    })
    const card = await cardOf('Un secret')
    await user.click(card.getByRole('button', { name: '4 commentaires' }))
    expect(await card.findByText('Mot 4')).toBeTruthy()
    expect(card.queryByRole('link', { name: /Voir tous/ })).toBeNull()
  })

  test('open the panel of the page behind', async () => {
    const revelation = anEnvelope({ title: 'Un secret', comments_count: 5, can })
    const user = openFeed([revelation], {
      api: [
        answer(listComments, { comments: five, total: 5, next_cursor: null }),
        answer(getRevelation, { revelation }),
        answer(listReactions, { reactions: [], summary: [] }),
      ],
    })
    const card = await cardOf('Un secret')
    await user.click(card.getByRole('button', { name: '5 commentaires' }))
    await user.click(await card.findByRole('link', { name: /Voir tous/ }))
    const panel = await screen.findByRole('button', { name: 'Réactions et commentaires' })
    expect(panel.getAttribute('aria-expanded')).toBe('true')
  })

  test('take five hundred characters, and count them', async () => {
    const sent: CommentInput[] = []
    const user = openFeed([anEnvelope({ title: 'Un secret', can })], {
      api: [
        answer(listComments, { comments: [], total: 0, next_cursor: null }),
        answer(addComment, ({ body }) => {
          const { id = '', content } = body as CommentInput
          sent.push(body as CommentInput)
          return { id, comment: aComment({ id, content, author_id: 'user-camille' }) }
        }),
      ],
    })
    const card = await cardOf('Un secret')
    await user.click(card.getByRole('button', { name: '0 commentaire' }))
    const field = await card.findByRole('textbox', { name: 'Votre commentaire' })
    await user.click(field)
    await user.paste('a'.repeat(501))
    expect(card.getByText(/501 \/ 500/)).toBeTruthy()
    await user.click(card.getByRole('button', { name: 'Envoyer le commentaire' }))
    expect(await card.findByText('Le commentaire ne peut pas dépasser 500 caractères')).toBeTruthy()
    expect(sent).toEqual([])
    await user.clear(field)
    await user.type(field, 'Voilà{Enter}tout')
    await user.click(card.getByRole('button', { name: 'Envoyer le commentaire' }))
    expect(await card.findByText(/Voilà\s+tout/)).toBeTruthy()
    expect(await card.findByRole('button', { name: '1 commentaire' })).toBeTruthy()
    expect(sent.map(({ content }) => content)).toEqual(['Voilà\ntout'])
  })
})

describe('the media of a card', () => {
  const film = (title: string) =>
    anOpenLetter({
      title,
      file_type: 'video',
      file_url: `/api/secure-file/videos/${title}.mp4?token=un`,
      thumbnail_complete: '/api/thumbnail/b?token=t',
      duration: 84,
    })

  test('plays one film at a time', async () => {
    const user = openFeed([film('Premier'), film('Second')])
    await user.click(await screen.findByRole('button', { name: 'Lire la vidéo Premier' }))
    const first = await screen.findByLabelText<HTMLVideoElement>('Complète : Premier')
    Object.defineProperty(first, 'paused', { value: false })
    const pause = vi.spyOn(first, 'pause')
    await user.click(screen.getByRole('button', { name: 'Lire la vidéo Second' }))
    fireEvent.play(await screen.findByLabelText('Complète : Second'))
    expect(pause).toHaveBeenCalledOnce()
  })

  test('asks for a new ticket when the old one is dead', async () => {
    const revelation = film('Premier')
    const user = openFeed([revelation], {
      api: [
        answer(getRevelation, {
          revelation: { ...revelation, file_url: '/api/secure-file/videos/Premier.mp4?token=deux' },
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Lire la vidéo Premier' }))
    const video = await screen.findByLabelText('Complète : Premier')
    fireEvent.error(video)
    await waitFor(() => expect(video.getAttribute('src')).toContain('token=deux'))
  })

  test('shows an image on the whole screen, and goes back to what opened it', async () => {
    const user = openFeed([
      anOpenLetter({
        title: 'La plage',
        file_type: 'image',
        file_url: '/api/secure-file/images/plage.jpg?token=t',
        file_mobile_url: '/api/secure-file/images/mobile_plage.webp?token=t',
        thumbnail_complete: '/api/thumbnail/plage?token=t',
      }),
    ])
    const opener = await screen.findByRole('button', { name: 'Voir l’image en plein écran' })
    await user.click(opener)
    const viewer = within(
      await screen.findByRole('dialog', { name: 'Image de la révélation La plage' }),
    )
    const image = viewer.getByRole('img', { name: 'La plage' })
    expect(image.getAttribute('src')).toContain('mobile_plage.webp')
    expect(viewer.getByRole('button', { name: 'Agrandir' })).toBeTruthy()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })
})

test('its author edits and deletes from the card; everybody shares it', async () => {
  const user = openFeed([
    anOwnRevelation({ title: 'La mienne' }),
    anEnvelope({ title: 'Une autre' }),
  ])
  const mine = await cardOf('La mienne')
  await user.click(await mine.findByRole('button', { name: 'Plus d’actions pour La mienne' }))
  expect(await screen.findByRole('menuitem', { name: 'Modifier' })).toBeTruthy()
  expect(screen.getByRole('menuitem', { name: 'Supprimer' })).toBeTruthy()
  await user.keyboard('{Escape}')
  const other = await cardOf('Une autre')
  expect(other.queryByRole('button', { name: /^Plus d’actions/ })).toBeNull()
  expect(other.getByRole('button', { name: 'Partager Une autre' })).toBeTruthy()
})
