import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { listRelationships } from '#contract/relationships.ts'
import {
  countPlay,
  deleteSound,
  getSound,
  getWaveform,
  listSounds,
  type Sound,
  toggleFavorite,
} from '#contract/sounds.ts'
import { eventStream } from '#web/test/event-stream.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { standInForListening } from '#web/test/listening-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'
import { aLockedSound, aSound, aSoundPage } from '#web/test/sound-samples.ts'

beforeAll(() => import('./voice-messages-page.tsx'))

let listening: ReturnType<typeof standInForListening>
beforeEach(() => {
  listening = standInForListening()
})

afterEach(() => vi.unstubAllGlobals())

const me = aUser()

/** The page before a server whose list may change. */
function openSounds(sounds: Sound[], api: RequestHandler[] = []) {
  const server = { sounds, requestCount: 0 }
  const user = renderPage('/family-sound', {
    user: me,
    api: [
      ...api,
      answer(listSounds, () => {
        server.requestCount += 1
        return aSoundPage(server.sounds)
      }),
      answer(getSound, ({ params }) => {
        const sound = server.sounds.find(({ id }) => id === params.id)
        return sound ? { sound } : refusal('not_found')
      }),
      answer(getWaveform, { peaks: [0.2, 0.8, 0.4], duration: 180 }),
      answer(countPlay, { play_count: 5 }),
    ],
  })
  return { user, server }
}

function rowOf(title: string): HTMLElement {
  const row = screen
    .getAllByText(title)
    .find((text) => text.closest('li'))
    ?.closest('li')
  if (!row) throw new Error(`No row says ${title}`)
  return row
}

const player = () => within(screen.getByRole('region', { name: 'Lecteur' }))
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const figures = () => screen.getByLabelText('Les messages en chiffres').textContent

describe('the page', () => {
  test('shows the four figures, and of each voice what there is to know', async () => {
    const mine = aSound({
      title: 'Pour toi seule',
      recipient_id: me.id,
      recipient_pseudo: 'camille',
    })
    const theirs = aSound({
      title: 'Bonne nuit',
      category: 'story',
      is_favorite: true,
      duration: 72,
    })
    openSounds([mine, theirs])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    expect(figures()).toBe('messages partagés2durée totale4\u00A0minfavori1écoutes8')
    expect(rowOf('Pour toi seule').textContent).toContain('Pour vous')
    const row = within(rowOf('Bonne nuit'))
    expect(row.getByText(/@noemie · Histoire · \d/)).toBeTruthy()
    expect(row.getByText('Tout le cercle')).toBeTruthy()
    expect(row.getByText('1:12')).toBeTruthy()
    expect(
      row.getByRole('button', { name: 'Favori\u202F: Bonne nuit', pressed: true }),
    ).toBeTruthy()
    expect(rowOf('Bonne nuit').getAttribute('aria-posinset')).toBe('2')
    expect(rowOf('Bonne nuit').getAttribute('aria-setsize')).toBe('2')
  })

  test('without any voice offers to record and to import', async () => {
    openSounds([])
    const title = await screen.findByRole('heading', { name: 'Aucune voix pour l’instant' })
    const empty = within(title.parentElement as HTMLElement)
    expect(empty.getByRole('button', { name: 'Enregistrer' })).toBeTruthy()
    expect(empty.getByRole('button', { name: 'Importer' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Lecteur' })).toBeNull()
  })

  test('that could not be loaded says so and asks again', async () => {
    let isDown = true
    const { user } = openSounds(
      [aSound({ title: 'Revenue' })],
      [
        answer(listSounds, () =>
          isDown ? refusal('not_ready') : aSoundPage([aSound({ title: 'Revenue' })]),
        ),
      ],
    )
    expect(await screen.findByText('Erreur lors du chargement des sons')).toBeTruthy()
    isDown = false
    await user.click(button('Réessayer'))
    expect(await screen.findAllByText('Revenue')).not.toHaveLength(0)
  })

  test('finds a title or a pseudo in all pages of the list, whatever the accents', async () => {
    const { user } = openSounds(
      [],
      [
        answer(listSounds, ({ query }) =>
          query.cursor
            ? aSoundPage([aSound({ title: 'L’été à Ostende', author_pseudo: 'mado' })])
            : aSoundPage([aSound({ title: 'Première page' })], { next_cursor: 'more' }),
        ),
      ],
    )
    await screen.findByRole('list', { name: 'Liste de lecture' })
    await user.type(screen.getByRole('searchbox'), 'ete MADO')
    await waitFor(() => expect(rowOf('L’été à Ostende')).toBeTruthy())
    await waitFor(() => expect(() => rowOf('Première page')).toThrow())
  })

  test('shows only what is chosen: favourites, those to come, those of somebody', async () => {
    const { user } = openSounds([
      aSound({ title: 'Aimée', is_favorite: true }),
      aLockedSound({ title: 'À venir', author_id: 'user-paul', author_pseudo: 'paul' }),
    ])
    const choice = await screen.findByRole('combobox', { name: 'Messages montrés' })
    await user.selectOptions(choice, 'Favoris')
    expect(() => rowOf('À venir')).toThrow()
    await user.selectOptions(choice, 'À venir')
    expect(() => rowOf('Aimée')).toThrow()
    await user.selectOptions(choice, 'De @paul')
    expect(rowOf('À venir')).toBeTruthy()
    await user.selectOptions(choice, 'Rien que pour moi')
    await user.click(button('Voir tous les messages'))
    expect(rowOf('Aimée')).toBeTruthy()
  })
})

test('the address of the page opens the recorder for somebody, once', async () => {
  const user = renderPage('/family-sound?pour=user-noemie', {
    user: me,
    api: [
      answer(listSounds, aSoundPage([aSound()])),
      answer(getWaveform, { peaks: [], duration: 1 }),
      answer(listRelationships, { relationships: [] }),
    ],
  })
  await screen.findByRole('dialog', { name: 'Enregistrer un message' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(window.location.search).toBe('')
})

describe('a favourite', () => {
  test('turns at once, moves its figure, and goes back in silence when it is refused', async () => {
    const { promise: requested, resolve: onRequest } = Promise.withResolvers<void>()
    const { promise: mayAnswer, resolve: answerNow } = Promise.withResolvers<void>()
    const { user } = openSounds(
      [aSound({ title: 'Aimée' })],
      [
        answer(toggleFavorite, async ({ body }) => {
          expect(body).toEqual({ is_favorite: true })
          onRequest()
          await mayAnswer
          return refusal('not_found')
        }),
      ],
    )
    await screen.findByRole('list', { name: 'Liste de lecture' })
    await user.click(button('Favori\u202F: Aimée'))
    expect(screen.getByRole('button', { name: 'Favori\u202F: Aimée', pressed: true })).toBeTruthy()
    expect(figures()).toContain('favori1')
    await requested
    answerNow()
    expect(
      await screen.findByRole('button', { name: 'Favori\u202F: Aimée', pressed: false }),
    ).toBeTruthy()
    expect(figures()).toContain('favori0')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('playing', () => {
  const three = () => [
    aSound({ id: 'a', title: 'Un' }),
    aSound({ id: 'b', title: 'Deux', file_mobile_url: null, file_url: '/api/f/b.webm?t' }),
    aSound({ id: 'c', title: 'Trois' }),
  ]

  test('takes the AAC file, else the one that was sent, and counts each play as the server says', async () => {
    const { user } = openSounds(three(), [answer(countPlay, { play_count: 42 })])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    await user.click(button('Écouter Un, de @noemie'))
    await waitFor(() => expect(listening.audibleFile()).toMatch(/\.m4a$/))
    await waitFor(() => expect(rowOf('Un').textContent).toContain('42 écoutes'))
    await user.click(button('Écouter Deux, de @noemie'))
    await waitFor(() => expect(listening.audibleFile()).toBe('b.webm'))
    expect(button('Mettre en pause Deux, de @noemie')).toBeTruthy()
    expect(await screen.findByText('Lecture : Deux, de @noemie')).toBeTruthy()
  })

  test('a play that could not be counted is taken back', async () => {
    const { promise: mayAnswer, resolve: answerNow } = Promise.withResolvers<void>()
    const { user } = openSounds(three(), [
      answer(countPlay, async () => {
        await mayAnswer
        return refusal('not_found')
      }),
    ])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    await user.click(button('Écouter Un, de @noemie'))
    await waitFor(() => expect(rowOf('Un').textContent).toContain('5 écoutes'))
    expect(figures()).toContain('écoutes13')
    answerNow()
    await waitFor(() => expect(rowOf('Un').textContent).toContain('4 écoutes'))
    expect(figures()).toContain('écoutes12')
  })

  test('goes on by itself, over what is locked, and is quiet after the last one', async () => {
    const [un, deux] = three() as [Sound, Sound]
    const { user } = openSounds([un, aLockedSound(), deux])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    await user.click(button('Écouter Un, de @noemie'))
    await waitFor(() => expect(listening.audibleFile()).toMatch(/m4a$/))
    act(() => listening.end())
    await waitFor(() => expect(listening.audibleFile()).toBe('b.webm'))
    act(() => listening.end())
    await screen.findByText('En pause : Deux, de @noemie')
    expect(listening.audibleFile()).toBeUndefined()
  })

  test('next and previous walk the list; three seconds in, previous starts again', async () => {
    const { user } = openSounds(three())
    await screen.findByRole('region', { name: 'Lecteur' })
    await user.click(player().getByRole('button', { name: 'Lecture' }))
    await user.click(player().getByRole('button', { name: 'Message suivant' }))
    await screen.findByText('Lecture : Deux, de @noemie')
    listening.element().currentTime = 3.5
    await user.click(player().getByRole('button', { name: 'Message précédent' }))
    expect(listening.element().currentTime).toBe(0)
    expect(screen.getByText('Lecture : Deux, de @noemie')).toBeTruthy()
    await user.click(player().getByRole('button', { name: 'Message précédent' }))
    await screen.findByText('Lecture : Un, de @noemie')
    await user.click(player().getByRole('button', { name: 'Pause' }))
    await screen.findByText('En pause : Un, de @noemie')
  })

  test('shuffle plays each voice once in a round, whatever is in view', async () => {
    const sounds = Array.from({ length: 25 }, (_, n) => aSound({ id: `n${n}`, title: `N° ${n}` }))
    const { user } = openSounds(sounds)
    await screen.findByRole('region', { name: 'Lecteur' })
    await user.click(player().getByRole('button', { name: 'Lecture aléatoire' }))
    expect(player().getByRole('button', { name: 'Lecture aléatoire', pressed: true })).toBeTruthy()
    await user.click(player().getByRole('button', { name: 'Lecture' }))
    const playedFiles: (string | undefined)[] = []
    for (const _ of sounds) {
      await waitFor(() =>
        expect(playedFiles).not.toContain(listening.audibleFile() ?? playedFiles[0]),
      )
      playedFiles.push(listening.audibleFile())
      act(() => listening.end())
    }
    expect(new Set(playedFiles).size).toBe(25)
    expect(playedFiles).not.toEqual(sounds.map(({ id }) => `${id}.m4a`))
    expect(listening.audibleFile()).toBeUndefined()
  })

  test('the lock screen is told what plays, and its buttons work', async () => {
    const actions = new Map<string, MediaSessionActionHandler | null>()
    const session = {
      metadata: null as { title: string; artist: string } | null,
      playbackState: 'none',
      setActionHandler: (name: string, handler: MediaSessionActionHandler | null) =>
        actions.set(name, handler),
      setPositionState: () => undefined,
    }
    vi.stubGlobal(
      'MediaMetadata',
      class {
        constructor(facts: object) {
          Object.assign(this, facts)
        }
      },
    )
    Object.defineProperty(navigator, 'mediaSession', { value: session, configurable: true })
    const { user } = openSounds(three())
    await screen.findByRole('region', { name: 'Lecteur' })
    await user.click(player().getByRole('button', { name: 'Lecture' }))
    await waitFor(() => expect(session.metadata).toMatchObject({ title: 'Un', artist: '@noemie' }))
    expect(session.playbackState).toBe('playing')
    act(() => actions.get('nexttrack')?.({ action: 'nexttrack' }))
    await waitFor(() => expect(session.metadata?.title).toBe('Deux'))
    act(() => actions.get('pause')?.({ action: 'pause' }))
    await waitFor(() => expect(session.playbackState).toBe('paused'))
    cleanup()
    expect(session.playbackState).toBe('none')
    Reflect.deleteProperty(navigator, 'mediaSession')
  })

  test('on a phone a bar holds the essentials, and opens into the whole player', async () => {
    listening = standInForListening({ isWide: false })
    const { user } = openSounds(three())
    await user.click(await screen.findByRole('button', { name: 'Lecture' }))
    await user.click(button('Message suivant'))
    await user.click(await screen.findByRole('button', { name: 'Ouvrir le lecteur\u202F: Deux' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'En écoute' }))
    sheet.getByRole('slider', { name: 'Position dans le message' }).focus()
    await user.keyboard('{ArrowRight}')
    expect(listening.element().currentTime).toBe(5)
    await user.keyboard('p')
    await waitFor(() => expect(listening.element().currentTime).toBe(0))
    await user.keyboard('p')
    expect(await sheet.findByText('Un')).toBeTruthy()
  })

  test('volume moves by tenths, silence comes and goes, speed turns, and both are remembered', async () => {
    const { user } = openSounds(three())
    await screen.findByRole('region', { name: 'Lecteur' })
    const volume = player().getByRole<HTMLInputElement>('slider', { name: 'Volume' })
    expect([volume.min, volume.max, volume.step, volume.value]).toEqual(['0', '1', '0.1', '1'])
    fireEvent.input(volume, { target: { value: '0.3' } })
    expect(listening.element().volume).toBe(0.3)
    await user.click(player().getByRole('button', { name: 'Couper le son' }))
    expect(listening.element().muted).toBe(true)
    await user.click(player().getByRole('button', { name: 'Rétablir le son' }))
    expect(listening.element().muted).toBe(false)
    const speed = player().getByRole('button', { name: 'Vitesse de lecture\u202F: 1×' })
    await user.click(speed)
    expect(listening.element().playbackRate).toBe(1.5)
    expect(listening.element().preservesPitch).toBe(true)
    await user.click(speed)
    expect(speed.textContent).toBe('2×')
    expect(JSON.parse(localStorage.getItem('sound-player') ?? '')).toEqual({
      volume: 0.3,
      speed: 2,
    })
    await user.click(speed)
    expect(speed.textContent).toBe('1×')
  })

  test('the keys seek, and the place is said in words', async () => {
    const { user } = openSounds(three())
    await screen.findByRole('region', { name: 'Lecteur' })
    const slider = player().getByRole('slider', { name: 'Position dans le message' })
    slider.focus()
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(listening.element().currentTime).toBe(10)
    await user.keyboard('{Home}{PageUp}{PageUp}{ArrowUp}{ArrowUp}{ArrowRight}{ArrowLeft}')
    expect(slider.getAttribute('aria-valuetext')).toBe('1\u00A0min 10\u00A0s sur 3\u00A0min')
    await user.keyboard('{End}')
    expect(slider.getAttribute('aria-valuenow')).toBe('180')
  })

  test('the place is never spoken by itself while it plays', async () => {
    const { user } = openSounds(three())
    await screen.findByRole('region', { name: 'Lecteur' })
    await user.click(player().getByRole('button', { name: 'Lecture' }))
    const slider = player().getByRole('slider', { name: 'Position dans le message' })
    act(() => {
      listening.element().currentTime = 65
    })
    expect(player().getByText('1:05')).toBeTruthy()
    expect(slider.getAttribute('aria-valuenow')).toBe('0')
    act(() => slider.focus())
    expect(slider.getAttribute('aria-valuetext')).toContain('1\u00A0min 5\u00A0s')
  })

  test('keys work on the list and the player, and never where one types', async () => {
    const { user } = openSounds(three())
    await screen.findByRole('list', { name: 'Liste de lecture' })
    const first = button('Écouter Un, de @noemie')
    first.focus()
    await user.keyboard('k')
    await screen.findByText('Lecture : Un, de @noemie')
    await user.keyboard('{ArrowRight}')
    expect(listening.element().currentTime).toBe(5)
    await user.keyboard('n')
    await screen.findByText('Lecture : Deux, de @noemie')
    await user.keyboard('m')
    expect(listening.element().muted).toBe(true)
    await user.click(screen.getByRole('searchbox'))
    await user.keyboard('n k')
    expect(screen.getByText('Lecture : Deux, de @noemie')).toBeTruthy()
  })

  test('the arrows walk from row to row', async () => {
    const { user } = openSounds(three())
    await screen.findByRole('list', { name: 'Liste de lecture' })
    button('Écouter Un, de @noemie').focus()
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(document.activeElement?.id).toBe('sound-b'))
    await user.keyboard('{End}')
    await waitFor(() => expect(document.activeElement?.id).toBe('sound-c'))
    await user.keyboard('{Home}')
    await waitFor(() => expect(document.activeElement?.id).toBe('sound-a'))
  })

  test('a dead ticket is replaced without a word, at the same place', async () => {
    const { user, server } = openSounds(three())
    await screen.findByRole('list', { name: 'Liste de lecture' })
    await user.click(button('Écouter Un, de @noemie'))
    await screen.findByText('Lecture : Un, de @noemie')
    listening.element().currentTime = 30
    server.sounds = server.sounds.map((sound) => ({
      ...sound,
      file_mobile_url: '/api/audio/sound.m4a?token=t2',
    }))
    act(() => listening.refuse())
    await waitFor(() => expect(listening.element().getAttribute('src')).toMatch(/t2$/))
    await waitFor(() => expect(listening.audibleFile()).toBeDefined())
    expect(listening.element().currentTime).toBe(30)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('what cannot be played says so and tries again', async () => {
    const { user } = openSounds(three())
    await screen.findByRole('list', { name: 'Liste de lecture' })
    await user.click(button('Écouter Un, de @noemie'))
    await screen.findByText('Lecture : Un, de @noemie')
    act(() => listening.refuse())
    expect(await screen.findByText('Ce message n’a pas pu être lu')).toBeTruthy()
    expect(player().getByRole('button', { name: 'Réessayer' })).toBeTruthy()
  })

  test('the news that voices came are shown, and what plays goes on', async () => {
    const events = eventStream()
    const sounds = three()
    const { user, server } = openSounds(sounds, [events.handler])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    await user.click(button('Écouter Un, de @noemie'))
    await screen.findByText('Lecture : Un, de @noemie')
    const before = listening.element().getAttribute('src')
    server.sounds = [aSound({ title: 'Toute neuve' }), ...sounds]
    await waitFor(() => expect(events.streams).not.toHaveLength(0))
    events.streams.at(-1)?.send('sounds')
    expect(await screen.findByText('Toute neuve')).toBeTruthy()
    expect(listening.element().getAttribute('src')).toBe(before)
    expect(listening.audibleFile()).toBeDefined()
  })
})

describe('a locked voice', () => {
  test('is not played: a dialog says when it opens, and the words left with it', async () => {
    const locked = aLockedSound({ title: 'Patience', reveal_message: 'Encore trois nuits.' })
    const { user } = openSounds([locked])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    expect(rowOf('Patience').textContent).toContain('dans 3 jours')
    await user.click(button('Patience, de @noemie, scellé'))
    const dialog = within(
      await screen.findByRole('dialog', { name: 'Ce message sera révélé dans 3 jours' }),
    )
    expect(dialog.getByText('Encore trois nuits.')).toBeTruthy()
    expect(listening.element().getAttribute('src')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'J’attendrai' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('opens on the page at its instant, and can be played', async () => {
    const soon = new Date(Date.now() + 700).toISOString()
    const locked = aLockedSound({ title: 'Bientôt', reveal_date: soon })
    const { user, server } = openSounds([locked])
    await screen.findByRole('button', { name: 'Bientôt, de @noemie, scellé' })
    server.sounds = [aSound({ id: locked.id, title: 'Bientôt', reveal_date: soon })]
    await user.click(await screen.findByRole('button', { name: 'Écouter Bientôt, de @noemie' }))
    await screen.findByText('Lecture : Bientôt, de @noemie')
  })

  test('in the making says so to its author', async () => {
    openSounds([aSound({ title: 'La mienne', processing_status: 'processing' })])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    expect(rowOf('La mienne').textContent).toContain('en préparation')
  })
})

describe('a voice of mine', () => {
  const mine = () => aSound({ title: 'La mienne', can_delete: true })

  test('alone can be deleted, after a question; the one that played is left for the next', async () => {
    const deleted: string[] = []
    const sounds = [mine(), aSound({ title: 'La suivante' })]
    const { user, server } = openSounds(sounds, [
      answer(deleteSound, ({ params }) => {
        deleted.push(params.id ?? '')
        server.sounds = server.sounds.slice(1)
        return { success: true as const }
      }),
    ])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    await user.click(button('Plus d’actions\u202F: La suivante'))
    await screen.findByRole('menuitem', { name: 'Télécharger' })
    expect(screen.queryByRole('menuitem', { name: 'Supprimer' })).toBeNull()
    await user.keyboard('{Escape}')
    await user.click(button('Écouter La mienne, de @noemie'))
    await screen.findByText('Lecture : La mienne, de @noemie')
    await user.click(button('Plus d’actions\u202F: La mienne'))
    await user.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = within(
      await screen.findByRole('alertdialog', {
        name: 'Êtes-vous sûr de vouloir supprimer ce son ?',
      }),
    )
    await user.click(question.getByRole('button', { name: 'Supprimer' }))
    await waitFor(() => expect(() => rowOf('La mienne')).toThrow())
    expect(deleted).toEqual([sounds[0]?.id])
    expect(listening.audibleFile()).toBeUndefined()
    expect(player().getByText('La suivante')).toBeTruthy()
  })

  test('that could not be deleted says why', async () => {
    const { user } = openSounds([mine()], [answer(deleteSound, refusal('not_found'))])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    await user.click(button('Plus d’actions\u202F: La mienne'))
    await user.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Supprimer' }))
    expect((await question.findByRole('alert')).textContent).toMatch(
      /^Erreur lors de la suppression: ./,
    )
  })
})

describe('a download', () => {
  test('has the title as its name, its true extension and a new ticket', async () => {
    const saved: [string | null, string][] = []
    const { user, server } = openSounds([aSound({ title: 'Bonne nuit', file_name: 'rec.WebM' })])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    server.sounds = server.sounds.map((sound) => ({
      ...sound,
      download_url: '/api/secure-file/audio/x.webm?token=t2',
    }))
    document.addEventListener('click', (event) => event.preventDefault(), { once: true })
    const click = HTMLAnchorElement.prototype.click
    HTMLAnchorElement.prototype.click = function () {
      saved.push([this.getAttribute('href'), this.download])
    }
    await user.click(button('Plus d’actions\u202F: Bonne nuit'))
    await user.click(await screen.findByRole('menuitem', { name: 'Télécharger' }))
    await waitFor(() =>
      expect(saved).toEqual([
        ['/api/secure-file/audio/x.webm?token=t2&download=1', 'Bonne nuit.webm'],
      ]),
    )
    HTMLAnchorElement.prototype.click = click
  })

  test('that fails says so', async () => {
    const { user, server } = openSounds([aSound({ title: 'Bonne nuit' })])
    await screen.findByRole('list', { name: 'Liste de lecture' })
    server.sounds = []
    await user.click(button('Plus d’actions\u202F: Bonne nuit'))
    await user.click(await screen.findByRole('menuitem', { name: 'Télécharger' }))
    expect(await screen.findByText('Erreur lors du téléchargement')).toBeTruthy()
  })
})
