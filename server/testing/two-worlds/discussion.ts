import { OUTCOMES } from '#contract/predictions.ts'
import { EMOJIS } from '#contract/reactions.ts'
import { catchUp, type EventPage } from '#testing/event-page.ts'
import { type Call, jsonOf, type Seen } from './calls.ts'
import { type Pair, SEARCHED_WORDS } from './secrets.ts'
import {
  compareAnswers,
  compareBoth,
  compareTraces,
  type Item,
  inBoth,
  requireRefusal,
  type Story,
} from './story.ts'
import { type Caller, OBSERVERS } from './trace.ts'
import { ROLES, type Role, type World } from './worlds.ts'

const LISTENERS = ROLES.filter((role) => role !== 'author')
const A_DAY_MS = 24 * 3_600_000
const EVENTS: Call = { method: 'GET', path: '/api/events' }

/**
 * Everybody reacts to and comments on everything while their pages are open, and tries to remove what others wrote;
 * then all answers and the events of each page are compared.
 */
export async function discuss(story: Story): Promise<void> {
  await compareBoth(story, { by: 'visitor' }, () => EVENTS)
  const pages = await inBoth(story, openPages)
  try {
    for (const item of story.items) await discussItem(story, item)
    const events = await inBoth(story, (world) => collectEvents(story, world, pages[world.name]))
    for (const role of LISTENERS) {
      const seen = { A: asAnswer(events.A[role]), B: asAnswer(events.B[role]) }
      compareAnswers(story, role, EVENTS, seen)
    }
  } finally {
    for (const page of [pages.A, pages.B].flatMap(Object.values<EventPage>)) page.leave()
  }
  compareTraces(story, 'the talk')

  async function openPages(world: World): Promise<Record<Role, EventPage>> {
    const ids = story.items.map((item) => item.ids[world.name])
    const opened = LISTENERS.map(async (role) => [
      role,
      await world.openPage(world.people[role], ids),
    ])
    return Object.fromEntries(await Promise.all(opened))
  }
}

/** The mails to the authors about all that was said leave once a day. */
export async function mailAboutTalk(story: Story): Promise<void> {
  await inBoth(story, ({ server }) => server.clock.advance(A_DAY_MS))
  await inBoth(story, ({ server }) => server.runJobs())
  compareTraces(story, 'the mails about the talk')
}

async function discussItem(story: Story, item: Item): Promise<void> {
  for (const [number, by] of OBSERVERS.entries()) {
    // Each person at an instant of their own, so that lists have one order.
    await inBoth(story, ({ server }) => server.clock.advance(1000))
    const emoji = EMOJIS[number % EMOJIS.length]
    await send(story, by, item, 'POST', '/api/reactions', ({ name }) => ({
      revelation_id: item.ids[name],
      emoji,
    }))
    await judge(story, by, item, number)
    const comment = await send(story, by, item, 'POST', '/api/comments', ({ name }) => ({
      revelation_id: item.ids[name],
      content: `${by} parie : ${SEARCHED_WORDS[number]}`,
    }))
    await tryToRemove(story, item, by, comment)
  }
  const one = ({ name }: World) => item.ids[name]
  for (const by of OBSERVERS) {
    await send(story, by, item, 'GET', (world) => `/api/reactions/${one(world)}`)
    await send(story, by, item, 'GET', (world) => `/api/comments/${one(world)}?limit=2`)
  }
  await send(story, 'friend', item, 'DELETE', (world) => `/api/reactions/${one(world)}`)
  await send(story, 'friend', item, 'DELETE', (world) => `/api/revelations/${one(world)}/vote`)
}

/** Everybody votes on the outcome, and tries to declare it in the place of the author. */
async function judge(story: Story, by: Caller, item: Item, number: number): Promise<void> {
  const at = ({ name }: World) => `/api/revelations/${item.ids[name]}`
  const body = () => ({ outcome: OUTCOMES[number % OUTCOMES.length] })
  await send(story, by, item, 'PUT', (world) => `${at(world)}/vote`, body)
  const { A } = await send(story, by, item, 'PUT', (world) => `${at(world)}/outcome`, body)
  if (by !== item.by) requireRefusal(`declaring the outcome of ${item.by} by ${by}`, A)
}

/** Tried by everybody who wrote neither the comment nor the revelation. */
async function tryToRemove(
  story: Story,
  item: Item,
  author: Caller,
  comment: Pair<Seen>,
): Promise<void> {
  const ids = { A: jsonOf(comment.A).id, B: jsonOf(comment.B).id }
  if (!ids.A || !ids.B) return
  const others = OBSERVERS.filter((by) => by !== author && by !== item.by)
  for (const by of others) {
    const path = ({ name }: World) => `/api/comments/${ids[name]}`
    const { A } = await send(story, by, item, 'DELETE', path)
    requireRefusal(`removing the comment of ${author} by ${by}`, A)
  }
}

function send(
  story: Story,
  by: Caller,
  item: Item,
  method: string,
  path: string | ((world: World) => string),
  body?: (world: World) => object,
): Promise<Pair<Seen>> {
  return compareBoth(story, { by, item }, (world) => ({
    method,
    path: typeof path === 'string' ? path : path(world),
    body: body?.(world),
  }))
}

/** The events of each page about each revelation, merged: their grouping depends on time. */
async function collectEvents(
  story: Story,
  { name, server, people }: World,
  pages: Record<Role, EventPage>,
): Promise<Record<Role, string>> {
  const entries = LISTENERS.map(async (role) => {
    const page = pages[role]
    await catchUp(server.ctx, page, people[role].id)
    const ofItem = ({ ids }: Item) => page.events.filter(({ data }) => data.id === ids[name])
    const lines = story.items.map((item) => {
      const data = ofItem(item).map((event) => event.data)
      const changed = new Set(data.flatMap((one) => one.changed ?? []))
      return JSON.stringify({ ...data.at(-1), changed: [...changed].sort() })
    })
    return [role, lines.join('\n')]
  })
  return Object.fromEntries(await Promise.all(entries))
}

function asAnswer(text: string): Seen {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    bytes: Buffer.from(text),
  }
}
