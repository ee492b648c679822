import { SORTS, VISIBILITIES } from '#contract/revelations.ts'
import { uploadForm } from '#test/uploads.ts'
import { addressOf, fileRequest, jobRequests } from './file-requests.ts'
import type { Asked } from './requests.ts'
import { SEARCHED_WORDS } from './secrets.ts'
import { type Credentials, type Item, pathOf, type SentFile, type Story } from './story.ts'
import { type Asker, DOORS, OBSERVERS } from './trace.ts'
import { START, type World } from './worlds.ts'

export interface Question {
  credentials: Credentials
  asked(world: World): Asked
  /** Nobody but the author may: refused, whatever the other world answers. */
  isRefused?: boolean
}

function get(path: (world: World) => string): (world: World) => Asked {
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
  ]
  for (const by of OBSERVERS) {
    const credentials = { by }
    for (const query of queries) {
      yield { credentials, asked: get(() => `${FEED}?${query}`) }
    }
    yield { credentials, asked: get((world) => `${authorsList(world)}?`) }
    for (const path of ['profile', 'verify-token', 'sessions']) {
      yield { credentials, asked: get(() => `/api/auth/${path}`) }
    }
  }
  for (const path of ['/', '/robots.txt', '/sitemap.xml', '/sitemap/pages.xml']) {
    yield { credentials: { by: 'visitor' }, asked: get(() => path) }
  }
  yield* aboutLog()
  yield* aboutWords(() => FEED)
  yield* aboutWords(authorsList)
}

/** What the log tells everybody of what was sealed. */
function* aboutLog(): Generator<Question> {
  const credentials: Credentials = { by: 'visitor' }
  // A tile that is there is leaf hashes, which are chance from end to end.
  const ofSizes = ['inclusion?leaf=0&size=1', 'consistency?from=1&to=1', 'tile/6/000']
  for (const path of ['key', 'checkpoint', ...ofSizes]) {
    yield { credentials, asked: get(() => `/api/proofs/${path}`) }
  }
}

/** Every word, searched by everybody in a list. */
export function* aboutWords(path: (world: World) => string): Generator<Question> {
  for (const word of SEARCHED_WORDS) {
    const query = `q=${encodeURIComponent(word)}`
    for (const by of OBSERVERS) {
      yield { credentials: { by }, asked: get((world) => `${path(world)}?${query}`) }
    }
  }
}

export function* aboutItems(story: Story, observers: readonly Asker[]): Generator<Question> {
  for (const item of story.items) {
    for (const by of observers) {
      const credentials = { by, item }
      yield { credentials, asked: get(({ name }) => pathOf(item, name)) }
      yield { credentials, asked: get(({ name }) => `${pathOf(item, name)}/proof`) }
      for (const left of ['reactions', 'comments']) {
        yield { credentials, asked: get(({ name }) => `/api/${left}/${item.ids[name]}`) }
      }
    }
    // What browsers, social networks and search engines read knows nobody.
    for (const path of [
      (id: string) => `/revelation/${id}`,
      (id: string) => `/apercu/${id}.png`,
      (id: string) => `/sitemap/revelations-${id.slice(0, 6)}.xml`,
    ]) {
      yield { credentials: { by: 'visitor' }, asked: get(({ name }) => path(item.ids[name])) }
    }
  }
}

/** Every file ever sent, whatever became of it: each variant, whole and in part, and how its making goes. */
export function* aboutFiles(story: Story): Generator<Question> {
  for (const file of story.files) {
    const item = story.items.find((candidate) => candidate.file === file)
    for (const by of OBSERVERS) {
      const credentials = { by, item }
      for (const door of DOORS) {
        yield { credentials, asked: (world) => fileRequest(world, file, door, credentials) }
      }
      if (item && file.kind === 'video') {
        const at = '/api/revelations/video-stream-edit'
        yield { credentials, asked: get(({ name }) => `${at}/${item.ids[name]}`) }
      }
      const headers = { range: 'bytes=10-19' }
      yield {
        credentials,
        asked: (world) => ({ ...fileRequest(world, file, 'original', credentials), headers }),
      }
      for (const asked of jobRequests(file)) {
        const isRefused = by !== file.by && asked(story.worlds.A).path.includes('/status/')
        yield { credentials, asked, isRefused }
      }
    }
    yield* aroundTickets(file)
  }
}

/** Without a ticket, with the ticket of another variant, to save it, and without its body. */
function* aroundTickets(file: SentFile): Generator<Question> {
  const credentials: Credentials = { by: 'stranger' }
  const original = (world: World) => addressOf(world, file, 'original')
  const ticketOf = (world: World, door: 'original' | 'teaser') =>
    fileRequest(world, file, door, credentials).path.split('?')[1]
  yield { credentials, asked: get(original) }
  yield {
    credentials,
    asked: get((world) => `${original(world)}?${ticketOf(world, 'teaser')}`),
  }
  yield {
    credentials,
    asked: get((world) => `${fileRequest(world, file, 'teaser', credentials).path}&download=1`),
  }
  yield {
    credentials,
    asked: (world) => ({
      method: 'HEAD',
      path: `${original(world)}?${ticketOf(world, 'original')}&download=1`,
    }),
  }
}

/** What counts something, and what only the author may do, tried by everybody else. */
export function* meddling(story: Story): Generator<Question> {
  for (const item of story.items) {
    for (const by of OBSERVERS) {
      const credentials = { by, item }
      const at = ({ name }: World) => pathOf(item, name)
      yield { credentials, asked: (world) => ({ method: 'POST', path: `${at(world)}/view` }) }
      if (by === item.by) continue
      const isRefused = true
      const theft = ({ people }: World) => ({ title: 'À moi', author_id: people.stranger.id })
      yield {
        credentials,
        asked: (world) => ({ method: 'PUT', path: at(world), body: theft(world) }),
        isRefused,
      }
      yield { credentials, asked: (world) => ({ method: 'DELETE', path: at(world) }), isRefused }
      const path = '/api/email/notify-revelation'
      yield {
        credentials,
        asked: ({ name }) => ({ method: 'POST', path, body: { revelationId: item.ids[name] } }),
        isRefused,
      }
      yield* takingDelivery(item, by)
    }
  }
  for (const file of story.files) yield* takingFile(file)
  const form = uploadForm({ name: 'page.html', type: 'text/html' })
  const body = Buffer.concat([form.before, Buffer.from('<html>'), form.after])
  yield {
    credentials: { by: 'stranger' },
    asked: () => ({ method: 'POST', path: '/api/upload', headers: form.headers, body }),
    isRefused: true,
  }
}

/** Sends the letter of somebody else elsewhere or again, or takes its link back, knowing its delivery’s id. */
function* takingDelivery(item: Item, by: Asker): Generator<Question> {
  const credentials = { by, item }
  const at = ({ name }: World) => `/api/deliveries/${item.deliveries[name].id}`
  const body = { address: 'moi@exemple.test' }
  yield {
    credentials,
    asked: (world) => ({ method: 'PUT', path: at(world), body }),
    isRefused: true,
  }
  for (const action of ['resend', 'revoke']) {
    yield {
      credentials,
      asked: (world) => ({ method: 'POST', path: `${at(world)}/${action}` }),
      isRefused: true,
    }
  }
}

/** Deletes the file of somebody else, or makes it one’s own. */
function* takingFile(file: SentFile): Generator<Question> {
  const credentials: Credentials = { by: file.by === 'stranger' ? 'friend' : 'stranger' }
  const isRefused = true
  const path = (world: World) => addressOf(world, file, 'original')
  yield {
    credentials,
    asked: (world) => ({ method: 'DELETE', path: '/api/delete', body: { path: path(world) } }),
    isRefused,
  }
  const draft = {
    title: 'Le fichier d’un autre',
    content: 'Dix caractères au moins.',
    target_email: 'quelquun@exemple.test',
    reveal_date: new Date(START.getTime() + 39 * 86_400_000).toISOString(),
  }
  yield {
    credentials,
    asked: (world) => ({
      method: 'POST',
      path: '/api/revelations',
      body: { ...draft, file_url: path(world) },
    }),
    isRefused,
  }
}
