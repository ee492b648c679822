import { act, screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listComments } from '#contract/comments.ts'
import { listNotifications, type Notification, readNotifications } from '#contract/notifications.ts'
import { listReactions } from '#contract/reactions.ts'
import { getRevelation, listRevelations, recordView } from '#contract/revelations.ts'
import { eventStream } from '#web/test/event-stream.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { aNotification, aNotificationPage } from '#web/test/notification-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, anOpenLetter, aPage, aUser } from '#web/test/samples.ts'
import { standInForSight } from '#web/test/sight-stand-ins.ts'

const HOUR_MS = 3_600_000

interface Door {
  notifications: Notification[]
  /** What pages were asked to mark as read. */
  reads: unknown[]
  handlers: RequestHandler[]
}

/** The server, which knows what is read. */
function notificationsDoor(notifications: Notification[]): Door {
  const door: Door = { notifications, reads: [], handlers: [] }
  const unread = () => door.notifications.filter(({ read_at }) => !read_at).length
  door.handlers = [
    answer(listNotifications, () => aNotificationPage(door.notifications)),
    answer(readNotifications, ({ body }) => {
      door.reads.push(body)
      const read = body as { ids?: string[]; all?: true; revelation_id?: string }
      const isMeant = ({ id, revelation_id }: Notification) =>
        read.all || read.ids?.includes(id) || revelation_id === read.revelation_id
      door.notifications = door.notifications.map((one) =>
        isMeant(one) ? { ...one, read_at: new Date().toISOString() } : one,
      )
      return { unread: unread() }
    }),
  ]
  return door
}

const open = (api: RequestHandler[]) => renderPage('/notifications', { user: aUser(), api })
const bell = (name: string) => screen.findByRole('link', { name })
const rowOf = (text: string) => screen.findByRole('link', { name: new RegExp(text) })

describe('the list', () => {
  test('is told by days, in whole sentences, and leads to each place', async () => {
    const now = Date.now()
    const at = (hoursAgo: number) => new Date(now - hoursAgo * HOUR_MS).toISOString()
    const { handlers } = notificationsDoor([
      aNotification({ text: '@noemie et 3 autres ont réagi.', url: '/revelation/a' }),
      aNotification({
        kind: 'delivery_failed',
        text: 'Une lettre n’est pas arrivée.',
        url: '/revelation/b',
        actor: null,
        created_at: at(24),
        read_at: at(20),
      }),
      aNotification({ text: '@malo vous a écrit.', created_at: at(24 * 9), read_at: at(1) }),
    ])
    open(handlers)
    const today = within(await screen.findByRole('region', { name: 'Aujourd’hui' }))
    const first = today.getByRole('link')
    expect(first.textContent).toContain('@noemie et 3 autres ont réagi.')
    expect(first.textContent).toContain('à l’instant')
    expect(first.textContent).toContain('Nouvelle')
    expect(first.getAttribute('href')).toBe('/revelation/a')
    const before = within(screen.getByRole('region', { name: 'Hier' })).getByRole('link')
    expect(before.textContent).toContain('hier')
    expect(before.textContent).not.toContain('Nouvelle')
    const older = within(screen.getByRole('region', { name: 'Plus tôt' })).getByRole('link')
    expect(older.textContent).toContain('la semaine dernière')
    expect(document.title).toMatch(/^Notifications/)
    expect(
      screen.getByRole('link', { name: 'Choisir ce qui m’est signalé' }).getAttribute('href'),
    ).toBe('/profile?onglet=parametres#notifications')
  })

  test('says that nothing has happened, with one thing to do', async () => {
    open(notificationsDoor([]).handlers)
    expect(await screen.findByRole('heading', { name: 'Rien pour l’instant' })).toBeTruthy()
    const main = within(screen.getByRole('main'))
    expect(main.getByRole('link', { name: 'Créer une révélation' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Tout marquer comme lu' })).toBeNull()
  })

  test('that could not be loaded is asked for again', async () => {
    let isDown = true
    const { notifications } = notificationsDoor([aNotification({ text: 'Enfin.' })])
    const user = open([
      answer(listNotifications, () =>
        isDown ? refusal('too_many_requests') : aNotificationPage(notifications),
      ),
    ])
    const again = await screen.findByRole('button', { name: 'Réessayer' })
    isDown = false
    await user.click(again)
    expect(await rowOf('Enfin')).toBeTruthy()
  })

  test('goes on with the next page', async () => {
    const later = aNotification({ text: 'La première.' })
    const older = aNotification({ text: 'La suivante.' })
    const user = open([
      answer(listNotifications, ({ query }) =>
        query.cursor === 'further'
          ? aNotificationPage([older])
          : aNotificationPage([later], { next_cursor: 'further' }),
      ),
    ])
    await user.click(await screen.findByRole('button', { name: 'Afficher plus de notifications' }))
    expect(await rowOf('La suivante')).toBeTruthy()
    expect(await rowOf('La première')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Afficher plus/ })).toBeNull()
  })
})

describe('what is read', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
  afterEach(() => void vi.useRealTimers())
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

  test('was in view for a moment, and keeps its mark until one leaves', async () => {
    const see = standInForSight()
    const [one, other, third] = ['Un.', 'Deux.', 'Trois.'].map((text) => aNotification({ text }))
    const door = notificationsDoor([one, other, third] as Notification[])
    open(door.handlers)
    expect(await bell('3\u00A0notifications non lues')).toBeTruthy()
    const [first, second] = [await rowOf('Un'), await rowOf('Deux')]
    await act(async () => {
      see(first)
      see(second)
    })
    await pass(600)
    // Scrolled away before anybody could read it.
    await act(async () => see(second, false))
    await pass(3_000)
    expect(door.reads).toEqual([{ ids: [one?.id] }])
    expect(await bell('2\u00A0notifications non lues')).toBeTruthy()
    expect((await rowOf('Un')).textContent).toContain('Nouvelle')
  })

  test('is all of it at a tap, at once', async () => {
    const door = notificationsDoor([aNotification({ text: 'Un.' }), aNotification()])
    const user = open(door.handlers)
    await bell('2\u00A0notifications non lues')
    await user.click(screen.getByRole('button', { name: 'Tout marquer comme lu' }))
    expect(await bell('Notifications')).toBeTruthy()
    expect((await rowOf('Un')).textContent).not.toContain('Nouvelle')
    await waitFor(() => expect(door.reads).toEqual([{ all: true }]))
  })

  test('comes back where it could not be marked, with words', async () => {
    const door = notificationsDoor([aNotification({ text: 'Un.' })])
    const user = open([answer(readNotifications, refusal('too_many_requests')), ...door.handlers])
    await user.click(await screen.findByRole('button', { name: 'Tout marquer comme lu' }))
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(await bell('1\u00A0notification non lue')).toBeTruthy()
    expect((await rowOf('Un')).textContent).toContain('Nouvelle')
  })

  test('was followed to its place', async () => {
    const door = notificationsDoor([aNotification({ text: 'Une demande.', url: '/' })])
    const user = open([...door.handlers, answer(listRevelations, aPage([]))])
    await user.click(await rowOf('Une demande'))
    await waitFor(() =>
      expect(door.reads).toEqual([{ ids: door.notifications.map(({ id }) => id) }]),
    )
    expect(window.location.pathname).toBe('/')
    expect(await bell('Notifications')).toBeTruthy()
  })

  test('is about the revelation that one visits, and only once', async () => {
    const revelation = anEnvelope()
    const door = notificationsDoor([
      aNotification({ revelation_id: revelation.id }),
      aNotification({ revelation_id: 'another' }),
    ])
    renderPage(`/revelation/${revelation.id}`, {
      user: aUser(),
      api: [
        ...door.handlers,
        answer(getRevelation, { revelation }),
        answer(recordView, { views_count: 1 }),
      ],
    })
    expect(await bell('1\u00A0notification non lue')).toBeTruthy()
    await pass(2_000)
    expect(door.reads).toEqual([{ revelation_id: revelation.id }])
  })
})

test('what is followed to a part of its page finds that part unfolded, and in view', async () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      private readonly notify: () => void
      constructor(notify: () => void) {
        this.notify = notify
      }
      observe() {
        this.notify()
      }
      unobserve() {}
      disconnect() {}
    },
  )
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(40)
  const seen: Element[] = []
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    seen.push(this)
  })
  const letter = anOpenLetter()
  const { handlers } = notificationsDoor([
    aNotification({ text: 'On commente.', url: `/revelation/${letter.id}#commentaires` }),
  ])
  const user = open([
    ...handlers,
    answer(getRevelation, { revelation: letter }),
    answer(recordView, { views_count: 1 }),
    answer(listReactions, { reactions: [], summary: [] }),
    answer(listComments, { comments: [], total: 0, next_cursor: null }),
  ])
  await user.click(await rowOf('On commente'))
  const heading = await screen.findByRole('heading', { name: 'Commentaires' })
  expect(seen.some((part) => part.contains(heading))).toBe(true)
})

describe('what happens meanwhile', () => {
  test('is counted by the bell of any page, and comes first in the list', async () => {
    const events = eventStream()
    const door = notificationsDoor([aNotification({ text: 'La première.' })])
    open([...door.handlers, events.handler])
    expect(await rowOf('La première')).toBeTruthy()
    await waitFor(() => expect(events.streams).toHaveLength(1))
    door.notifications = [aNotification({ text: 'Une autre.' }), ...door.notifications]
    events.streams[0]?.send('notifications')
    expect(await rowOf('Une autre')).toBeTruthy()
    expect(await bell('2\u00A0notifications non lues')).toBeTruthy()
    const texts = screen.getAllByRole('link').map(({ textContent }) => textContent)
    const place = (text: string) => texts.findIndex((one) => one?.includes(text))
    expect(place('Une autre')).toBeLessThan(place('La première'))
  })

  test('keeps what was scrolled to, once each, and takes away what is gone', async () => {
    const events = eventStream()
    const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
    const [a, gone, b, c] = ['Aa.', 'Bb.', 'Cc.', 'Dd.'].map((text, index) =>
      aNotification({ text, created_at: at(index + 1) }),
    ) as [Notification, Notification, Notification, Notification]
    let first = [a, gone]
    const user = open([
      events.handler,
      answer(listNotifications, ({ query }) =>
        query.cursor
          ? aNotificationPage([b, c], { unread: 4 })
          : aNotificationPage(first, { next_cursor: 'further', unread: 4 }),
      ),
    ])
    await user.click(await screen.findByRole('button', { name: 'Afficher plus de notifications' }))
    await rowOf('Dd')
    await waitFor(() => expect(events.streams).toHaveLength(1))
    // The last of the former first page is hidden: the next one came up, and one that is older happened again.
    first = [{ ...c, text: 'Dd encore.', created_at: at(0) }, a, b]
    events.streams[0]?.send('notifications')
    await rowOf('Dd encore')
    const texts = screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '')
    const count = (text: string) => texts.filter((one) => one.includes(text)).length
    expect(['Aa', 'Bb', 'Cc', 'Dd'].map(count)).toEqual([1, 0, 1, 1])
  })

  test('is written on the icon of the installed site', async () => {
    const badges: (number | undefined)[] = []
    const badge = {
      setAppBadge: async (count?: number) => void badges.push(count),
      clearAppBadge: async () => void badges.push(0),
    }
    for (const [name, value] of Object.entries(badge))
      Object.defineProperty(navigator, name, { value, configurable: true })
    const door = notificationsDoor([aNotification(), aNotification()])
    const user = open(door.handlers)
    await waitFor(() => expect(badges).toEqual([2]))
    await user.click(await screen.findByRole('button', { name: 'Tout marquer comme lu' }))
    await waitFor(() => expect(badges).toEqual([2, 0]))
  })
})

test('fifty or more are counted as such, and a visitor has no bell', async () => {
  renderPage('/', {
    user: aUser(),
    api: [
      answer(listRevelations, aPage([])),
      answer(listNotifications, aNotificationPage([], { unread: 50 })),
    ],
  })
  const { textContent } = await bell('50 notifications non lues, ou plus')
  expect(textContent).toBe('50+')
})

test('a visitor is asked to sign in', async () => {
  renderPage('/notifications')
  await waitFor(() => expect(window.location.pathname).toBe('/login'))
  expect(screen.queryByRole('link', { name: /otifications/ })).toBeNull()
})
