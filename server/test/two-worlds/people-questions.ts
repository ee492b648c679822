import { randomUUID } from 'node:crypto'
import type { Question } from './questions.ts'
import type { Asked } from './requests.ts'
import type { Credentials } from './story.ts'
import { OBSERVERS } from './trace.ts'
import { ROLES, type World } from './worlds.ts'

const NOBODY = randomUUID()
const OWN_PAGES = [
  '/api/relationships',
  '/api/relationships/requests',
  '/api/relationships/blocks',
  '/api/subscriptions/me',
  '/api/subscriptions/plans',
  '/api/subscriptions/preferences',
]

function get(path: (world: World) => string): (world: World) => Asked {
  return (world) => ({ method: 'GET', path: path(world) })
}

/** Everybody’s profile, picture and figures, and the search for them; and one’s own ties and plan. */
export function* aboutPeople(): Generator<Question> {
  for (const by of OBSERVERS) {
    const credentials = { by }
    for (const path of OWN_PAGES) yield { credentials, asked: get(() => path) }
    for (const role of ROLES) {
      yield { credentials, asked: get(({ people }) => `/api/auth/user/${people[role].id}`) }
      for (const q of [role.slice(0, 1), role, `${role}@exemple.test`]) {
        yield { credentials, asked: get(() => `/api/auth/search?q=${encodeURIComponent(q)}`) }
      }
    }
    yield { credentials, asked: get(({ avatarOfAuthor }) => avatarOfAuthor) }
    yield {
      credentials,
      asked: get(({ avatarOfAuthor }) => avatarOfAuthor.replace(/.{4}\.webp/, '0000.webp')),
    }
  }
}

/** Asking, answering and blocking, as far as it ties nobody to the author. */
export function* aboutTies(): Generator<Question> {
  for (const by of OBSERVERS) {
    const credentials = { by }
    const isRefused = true
    for (const type of ['friend', 'family']) {
      yield {
        credentials,
        asked: ({ people }) => ({
          method: 'POST',
          path: '/api/relationships/request',
          body: { receiver_id: people.author.id, type },
        }),
      }
    }
    yield {
      credentials,
      asked: () => ({
        method: 'PUT',
        path: `/api/relationships/request/${NOBODY}`,
        body: { action: 'accept' },
      }),
      isRefused,
    }
    for (const path of ['request/', '']) {
      const asked = () => ({ method: 'DELETE', path: `/api/relationships/${path}${NOBODY}` })
      yield { credentials, asked, isRefused }
    }
  }
  yield* blocking({ by: 'stranger' })
}

function* blocking(credentials: Credentials): Generator<Question> {
  const path = ({ people }: World) => `/api/relationships/blocks/${people.author.id}`
  yield { credentials, asked: (world) => ({ method: 'PUT', path: path(world) }) }
  yield { credentials, asked: get(({ people }) => `/api/auth/user/${people.author.id}`) }
  yield { credentials, asked: get(() => '/api/revelations?limit=100') }
  yield { credentials, asked: get(() => '/api/relationships/blocks') }
  yield { credentials, asked: (world) => ({ method: 'DELETE', path: path(world) }) }
}
