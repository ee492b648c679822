import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { KINDS } from '#contract/kinds.ts'
import { RECEIVED_STATES } from '#contract/received.ts'
import { SORTS, VISIBILITIES } from '#contract/revelations.ts'
import { uploadForm } from '#testing/uploads.ts'
import type { Call } from './calls.ts'
import { addressOf, fileRequest, jobRequests } from './play.ts'
import { RECEIVED } from './received.ts'
import { SEARCHED_WORDS } from './secrets.ts'
import { type Credentials, type Item, pathOf, type SentFile, type Story } from './story.ts'
import { type Caller, DOORS, OBSERVERS } from './trace.ts'
import { START, type World } from './worlds.ts'

export interface Question {
  credentials: Credentials
  call(world: World): Call
  /** Nobody but the author may: refused, whatever the other world answers. */
  isRefused?: boolean
}

function get(path: (world: World) => string): (world: World) => Call {
  return (world) => ({ method: 'GET', path: path(world) })
}

export const FEED = '/api/revelations'

function authorsList({ people }: World): string {
  return `/api/revelations/user/${people.author.id}`
}

/** Lists in every order and filter, of everyone’s and of the author’s; and one’s own account. */
export function* aboutEverything(): Generator<Question> {
  const queries = [
    ...SORTS.map((sort) => `sort=${sort}`),
    ...VISIBILITIES.map((visibility) => `visibility=${visibility}`),
    'status=revealed',
    'status=pending',
    'outcome=none',
    ...KINDS.map((kind) => `kind=${kind}`),
  ]
  for (const by of OBSERVERS) {
    const credentials = { by }
    for (const query of queries) {
      yield { credentials, call: get(() => `${FEED}?${query}`) }
    }
    yield { credentials, call: get((world) => `${authorsList(world)}?`) }
    for (const state of ['all', ...RECEIVED_STATES]) {
      yield { credentials, call: get(() => `${RECEIVED}?state=${state}`) }
    }
    yield { credentials, call: get(() => '/api/revelations/anniversaries') }
    for (const path of ['profile', 'verify-token', 'sessions']) {
      yield { credentials, call: get(() => `/api/auth/${path}`) }
    }
  }
  for (const path of ['/', '/robots.txt', '/sitemap.xml', '/sitemap/pages.xml']) {
    yield { credentials: { by: 'visitor' }, call: get(() => path) }
  }
  yield* aboutLog()
  yield* aboutWords(() => FEED)
  yield* aboutWords(authorsList)
  yield* aboutWords(() => RECEIVED)
}

/** The public log. */
function* aboutLog(): Generator<Question> {
  const credentials: Credentials = { by: 'visitor' }
  // An existing tile is leaf hashes, which are random from end to end.
  const ofSizes = ['inclusion?leaf=0&size=1', 'consistency?from=1&to=1', 'tile/6/000']
  for (const path of ['key', 'keys', 'checkpoint', ...ofSizes]) {
    yield { credentials, call: get(() => `/api/proofs/${path}`) }
  }
}

/** Every word, searched by everybody in a list. */
export function* aboutWords(path: (world: World) => string): Generator<Question> {
  for (const word of SEARCHED_WORDS) {
    const query = `q=${encodeURIComponent(word)}`
    for (const by of OBSERVERS) {
      yield { credentials: { by }, call: get((world) => `${path(world)}?${query}`) }
    }
  }
}

export function* aboutItems(story: Story, observers: readonly Caller[]): Generator<Question> {
  for (const item of story.items) {
    for (const by of observers) {
      const credentials = { by, item }
      yield { credentials, call: get(({ name }) => pathOf(item, name)) }
      for (const part of ['proof', 'receipt'])
        yield { credentials, call: get(({ name }) => `${pathOf(item, name)}/${part}`) }
      for (const method of ['GET', 'POST']) {
        yield {
          credentials,
          call: ({ name }) => ({ method, path: `${pathOf(item, name)}/archive` }),
        }
      }
      for (const left of ['reactions', 'comments']) {
        yield { credentials, call: get(({ name }) => `/api/${left}/${item.ids[name]}`) }
      }
    }
    // What browsers, social networks and search engines read knows nobody.
    for (const path of [
      (id: string) => `/revelation/${id}`,
      (id: string) => `/apercu/${id}.png`,
      (id: string) => `/sitemap/revelations-${id.slice(0, 6)}.xml`,
    ]) {
      yield { credentials: { by: 'visitor' }, call: get(({ name }) => path(item.ids[name])) }
    }
  }
}

/** Every uploaded file, even a deleted one: each variant, whole and in part, and the steps that prepare it. */
export function* aboutFiles(story: Story): Generator<Question> {
  for (const file of story.files) {
    const item = story.items.find(({ file: sent, others, voice }) =>
      [sent, voice, ...others].includes(file),
    )
    for (const by of OBSERVERS) {
      const credentials = { by, item }
      for (const door of DOORS) {
        yield { credentials, call: (world) => fileRequest(world, file, door, credentials) }
      }
      if (item && file.kind === 'video') {
        const at = '/api/revelations/video-stream-edit'
        yield { credentials, call: get(({ name }) => `${at}/${item.ids[name]}`) }
      }
      const headers = { range: 'bytes=10-19' }
      yield {
        credentials,
        call: (world) => ({ ...fileRequest(world, file, 'original', credentials), headers }),
      }
      for (const call of jobRequests(file)) {
        const isRefused = by !== file.by && call(story.worlds.A).path.includes('/status/')
        yield { credentials, call, isRefused }
      }
    }
    yield* aroundTickets(file)
  }
}

/** Without a ticket, with the ticket of another variant, as a download, and without its body. */
function* aroundTickets(file: SentFile): Generator<Question> {
  const credentials: Credentials = { by: 'stranger' }
  const original = (world: World) => addressOf(world, file, 'original')
  const ticketOf = (world: World, door: 'original' | 'teaser') =>
    fileRequest(world, file, door, credentials).path.split('?')[1]
  yield { credentials, call: get(original) }
  yield {
    credentials,
    call: get((world) => `${original(world)}?${ticketOf(world, 'teaser')}`),
  }
  yield {
    credentials,
    call: get((world) => `${fileRequest(world, file, 'teaser', credentials).path}&download=1`),
  }
  yield {
    credentials,
    call: (world) => ({
      method: 'HEAD',
      path: `${original(world)}?${ticketOf(world, 'original')}&download=1`,
    }),
  }
}

/** Calls that count something, and calls for the author alone, tried by everybody else. */
export function* meddling(story: Story): Generator<Question> {
  for (const item of story.items) {
    for (const by of OBSERVERS) {
      const credentials = { by, item }
      const at = ({ name }: World) => pathOf(item, name)
      yield { credentials, call: (world) => ({ method: 'POST', path: `${at(world)}/view` }) }
      yield { credentials, call: (world) => ({ method: 'POST', path: `${at(world)}/open` }) }
      // With no key, or no account.
      yield {
        credentials,
        call: (world) => ({ method: 'POST', path: `${at(world)}/save` }),
        isRefused: true,
      }
      for (const leaving of [false, true, false]) {
        const path = (world: World) => `${at(world)}/presence`
        yield {
          credentials,
          call: (world) => ({ method: 'POST', path: path(world), body: { leaving } }),
        }
      }
      if (by === item.by) continue
      const isRefused = true
      const theft = ({ people }: World) => ({ title: 'À moi', author_id: people.stranger.id })
      yield {
        credentials,
        call: (world) => ({ method: 'PUT', path: at(world), body: theft(world) }),
        isRefused,
      }
      yield { credentials, call: (world) => ({ method: 'DELETE', path: at(world) }), isRefused }
      const path = '/api/email/notify-revelation'
      yield {
        credentials,
        call: ({ name }) => ({ method: 'POST', path, body: { revelationId: item.ids[name] } }),
        isRefused,
      }
      yield {
        credentials,
        call: () => ({
          method: 'POST',
          path: FEED,
          headers: { [IDEMPOTENCY_HEADER]: item.key },
          body: { ...OF_SOMEBODY_ELSE, file_url: 'images/nulle-part.png' },
        }),
        isRefused,
      }
      yield* deliveryTheft(item, by)
    }
  }
  for (const file of story.files) yield* fileTheft(file)
  const form = uploadForm({ name: 'page.html', type: 'text/html' })
  const body = Buffer.concat([form.before, Buffer.from('<html>'), form.after])
  yield {
    credentials: { by: 'stranger' },
    call: () => ({ method: 'POST', path: '/api/upload', headers: form.headers, body }),
    isRefused: true,
  }
}

/** Readdresses, resends, takes by hand or revokes the delivery of another person’s letter, by its id. */
function* deliveryTheft(item: Item, by: Caller): Generator<Question> {
  const credentials = { by, item }
  const at = ({ name }: World) => `/api/deliveries/${item.deliveries[name].id}`
  const body = { address: 'moi@exemple.test' }
  yield {
    credentials,
    call: (world) => ({ method: 'PUT', path: at(world), body }),
    isRefused: true,
  }
  for (const action of ['resend', 'link', 'revoke']) {
    yield {
      credentials,
      call: (world) => ({ method: 'POST', path: `${at(world)}/${action}` }),
      isRefused: true,
    }
  }
}

/** A letter with what is another person’s. */
const OF_SOMEBODY_ELSE = {
  title: 'Le fichier d’un autre',
  content: 'Dix caractères au moins.',
  target_email: 'quelquun@exemple.test',
  reveal_date: new Date(START.getTime() + 39 * 86_400_000).toISOString(),
}

/** Deletes the file of another person, or attaches it to one’s own revelation. */
function* fileTheft(file: SentFile): Generator<Question> {
  const credentials: Credentials = { by: file.by === 'stranger' ? 'friend' : 'stranger' }
  const isRefused = true
  const path = (world: World) => addressOf(world, file, 'original')
  yield {
    credentials,
    call: (world) => ({ method: 'DELETE', path: '/api/delete', body: { path: path(world) } }),
    isRefused,
  }
  yield {
    credentials,
    call: (world) => ({
      method: 'POST',
      path: '/api/revelations',
      body: { ...OF_SOMEBODY_ELSE, file_url: path(world) },
    }),
    isRefused,
  }
}
