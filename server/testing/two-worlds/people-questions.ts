import { randomUUID } from 'node:crypto'
import { createMailLinks } from '#server/features/mails/mail-links.service.ts'
import { PASSWORD } from '#testing/test-server.ts'
import type { Call } from './calls.ts'
import type { Question } from './questions.ts'
import { type Credentials, type Item, pathOf, type Story } from './story.ts'
import { OBSERVERS } from './trace.ts'
import { ROLES, type World } from './worlds.ts'

const NOBODY = randomUUID()
const OWN_PAGES = [
  '/api/relationships',
  '/api/relationships/requests',
  '/api/relationships/blocks',
  '/api/deliveries/recent-recipients',
  '/api/subscriptions/me',
  '/api/subscriptions/plans',
  '/api/subscriptions/preferences',
  '/api/statistics?period=all',
  '/api/statistics/letters?period=all&limit=100',
  '/api/notifications?limit=100',
  '/api/notifications/switches',
]

function get(path: (world: World) => string): (world: World) => Call {
  return (world) => ({ method: 'GET', path: path(world) })
}

/** Everybody’s profile, picture and figures, and the search for them; and one’s own relations and plan. */
export function* aboutPeople(): Generator<Question> {
  for (const by of OBSERVERS) {
    const credentials = { by }
    for (const path of OWN_PAGES) yield { credentials, call: get(() => path) }
    for (const role of ROLES) {
      yield { credentials, call: get(({ people }) => `/api/auth/user/${people[role].id}`) }
      for (const q of [role.slice(0, 1), role, `${role}@exemple.test`]) {
        yield { credentials, call: get(() => `/api/auth/search?q=${encodeURIComponent(q)}`) }
      }
    }
    yield { credentials, call: get(({ avatarOfAuthor }) => avatarOfAuthor) }
    yield {
      credentials,
      call: get(({ avatarOfAuthor }) => avatarOfAuthor.replace(/.{4}\.webp/, '0000.webp')),
    }
  }
}

/** What happened to everybody, and what they read of it; the invented one is nobody’s. */
export function* aboutNotifications(): Generator<Question> {
  for (const by of OBSERVERS) {
    const credentials = { by }
    for (const body of [{ ids: [NOBODY] }, { all: true }]) {
      const call = () => ({ method: 'POST', path: '/api/notifications/read', body })
      yield { credentials, call }
    }
    yield { credentials, call: get(() => '/api/notifications?limit=100') }
  }
}

/** Requests, answers and blocks, as far as they relate nobody to the author. */
export function* aboutTies(): Generator<Question> {
  for (const by of OBSERVERS) {
    const credentials = { by }
    const isRefused = true
    for (const type of ['friend', 'family']) {
      yield {
        credentials,
        call: ({ people }) => ({
          method: 'POST',
          path: '/api/relationships/request',
          body: { receiver_id: people.author.id, type },
        }),
      }
    }
    yield {
      credentials,
      call: () => ({
        method: 'PUT',
        path: `/api/relationships/request/${NOBODY}`,
        body: { action: 'accept' },
      }),
      isRefused,
    }
    for (const path of ['request/', '']) {
      const call = () => ({ method: 'DELETE', path: `/api/relationships/${path}${NOBODY}` })
      yield { credentials, call, isRefused }
    }
  }
  yield* blocking({ by: 'stranger' })
}

function* blocking(credentials: Credentials): Generator<Question> {
  const path = ({ people }: World) => `/api/relationships/blocks/${people.author.id}`
  yield { credentials, call: (world) => ({ method: 'PUT', path: path(world) }) }
  yield { credentials, call: get(({ people }) => `/api/auth/user/${people.author.id}`) }
  yield { credentials, call: get(() => '/api/revelations?limit=100') }
  yield { credentials, call: get(() => '/api/relationships/blocks') }
  yield { credentials, call: (world) => ({ method: 'DELETE', path: path(world) }) }
}

/** Everybody lists their tokens of the API and revokes one that is nobody’s; one of them asks for one without the password. */
export function* aboutTokens(): Generator<Question> {
  const at = '/api/auth/tokens'
  for (const by of OBSERVERS) {
    const credentials = { by }
    yield { credentials, call: get(() => at) }
    const path = `${at}/${NOBODY}`
    yield { credentials, call: () => ({ method: 'DELETE', path }), isRefused: true }
  }
  const body = { name: 'Sauvegarde', scopes: ['write'], password: 'faux' }
  const call = () => ({ method: 'POST', path: at, body })
  yield { credentials: { by: 'stranger' }, call, isRefused: true }
}

const INVENTED_TOKEN = 'A'.repeat(43)

/** Attempts on the address and the password of other people. */
export function* aboutAccounts(): Generator<Question> {
  for (const by of OBSERVERS) {
    const credentials = { by }
    const call = (method: string, path: string, body?: object) => () => ({
      method,
      path: `/api/auth/${path}`,
      body,
    })
    yield { credentials, call: call('GET', 'account/deletion') }
    yield { credentials, call: call('POST', 'send-verification') }
    for (const path of ['verify-email', 'email-link', 'refuse-email']) {
      yield { credentials, call: call('POST', path, { token: INVENTED_TOKEN }), isRefused: true }
    }
    yield {
      credentials,
      call: call('POST', 'reset-password', { token: INVENTED_TOKEN, password: PASSWORD }),
      isRefused: true,
    }
  }
  for (const email of ['author@exemple.test', 'personne@exemple.test']) {
    const body = { email }
    yield {
      credentials: { by: 'visitor' },
      call: () => ({ method: 'POST', path: '/api/auth/forgot-password', body }),
    }
    yield {
      credentials: { by: 'stranger' },
      call: () => ({
        method: 'POST',
        path: '/api/auth/change-email',
        body: { email, password: PASSWORD },
      }),
    }
  }
  yield {
    credentials: { by: 'stranger' },
    call: () => ({ method: 'DELETE', path: '/api/auth/account', body: { password: 'faux' } }),
    isRefused: true,
  }
}

const MAILED_TO = 'lecteur@exemple.test'

/** Everybody sets reminders for everything and fetches its calendar file; the mails come later. */
export function* aboutReminders(story: Story): Generator<Question> {
  for (const item of story.items) {
    const at = (method: string, what: string) => (world: World) => ({
      method,
      path: `${pathOf(item, world.name)}/${what}`,
    })
    for (const by of OBSERVERS) {
      const credentials = { by, item }
      for (const method of ['PUT', 'GET']) yield { credentials, call: at(method, 'reminder') }
      yield { credentials, call: at('GET', 'calendar.ics') }
      yield { credentials, call: at('POST', 'receipt/mail'), isRefused: by !== item.by }
    }
    yield { credentials: { by: 'stranger', item }, call: at('DELETE', 'reminder') }
  }
}

/** The calls that the link in the footer of a mail allows. */
export function* aboutMailLinks(story: Story): Generator<Question> {
  const credentials = { by: 'visitor' } as const
  for (const item of story.items) {
    const post = (path: string) => (world: World) => ({
      method: 'POST',
      path: `/api/email/${path}`,
      body: { token: tokenAbout(item, world) },
    })
    const unsubscribe = (method: string) => (world: World) => ({
      method,
      path: `/api/email/unsubscribe?token=${tokenAbout(item, world)}`,
    })
    yield { credentials, call: post('link') }
    yield { credentials, call: unsubscribe('GET') }
    yield { credentials, call: unsubscribe('POST') }
    yield { credentials, call: post('link') }
    yield { credentials, call: post('resubscribe') }
  }
  const inventedLink = (): Call => ({
    method: 'POST',
    path: '/api/email/link',
    body: { token: 'A'.repeat(80) },
  })
  yield { credentials, call: inventedLink, isRefused: true }
}

function tokenAbout(item: Item, { name, server }: World): string {
  const { ctx } = server
  const revelationId = item.ids[name]
  const { headers } = createMailLinks(
    ctx,
    { mailId: revelationId, address: MAILED_TO, stops: 'everything', userId: null },
    [{ revelationId, title: undefined }],
  )

  return /token=([\w-]+)/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
}

const INVENTED_MAIL_TOKEN = 'A'.repeat(60)

/** Exports of one’s own data, as JSON and as files. */
export function* aboutExports(): Generator<Question> {
  for (const by of OBSERVERS) {
    const credentials = { by }
    for (const format of ['json', 'zip']) {
      const path = `/api/auth/export?format=${format}`
      yield { credentials, call: () => ({ method: 'GET', path }) }
    }
    yield { credentials, call: () => ({ method: 'POST', path: '/api/auth/export' }) }
  }
}

/** Everybody reports every revelation and its author. */
export function* aboutReports(story: Story): Generator<Question> {
  for (const by of OBSERVERS) {
    for (const item of story.items) {
      yield {
        credentials: { by, item },
        call: ({ name }) => report('revelation', item.ids[name]),
      }
    }
    const author = ({ people }: World) => report('profile', people.author.id)
    yield { credentials: { by }, call: author }
  }
  const body = { token: INVENTED_MAIL_TOKEN, reason: 'spam' }
  yield {
    credentials: { by: 'visitor' },
    call: () => ({ method: 'POST', path: '/api/reports/mail', body }),
    isRefused: true,
  }
}

function report(target: 'revelation' | 'profile', id: string): Call {
  const body = { target, target_id: id, reason: 'spam', message: 'Regardez.' }
  return { method: 'POST', path: '/api/reports', body }
}
