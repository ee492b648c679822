import { OUTCOMES } from '#contract/predictions.ts'
import { EMOJIS } from '#contract/reactions.ts'
import { catchUp, type EventPage } from '#test/event-page.ts'
import { type Asked, jsonOf, type Seen } from './requests.ts'
import { type Pair, SEARCHED_WORDS } from './secrets.ts'
import {
  askBoth,
  compareAnswers,
  compareTraces,
  type Item,
  inBoth,
  requireRefusal,
  type Story,
} from './story.ts'
import { type Asker, OBSERVERS } from './trace.ts'
import { ROLES, type Role, type World } from './worlds.ts'

const LISTENERS = ROLES.filter((role) => role !== 'author')
const TOLD_AFTER_MS = 120_000
const EVENTS: Asked = { method: 'GET', path: '/api/events' }

/**
 * Everybody reacts to and comments on everything while their pages are open, and tries to remove what others wrote;
 * then all answers and all that each page heard are compared.
 */
export async function talk(story: Story): Promise<void> {
  await askBoth(story, { by: 'visitor' }, () => EVENTS)
  const pages = await inBoth(story, openPages)
  try {
    for (const item of story.items) await talkAbout(story, item)
    const heard = await inBoth(story, (world) => hear(story, world, pages[world.name]))
    for (const role of LISTENERS) {
      const seen = { A: asAnswer(heard.A[role]), B: asAnswer(heard.B[role]) }
      compareAnswers(story, role, EVENTS, seen)
    }
  } finally {
    for (const page of [pages.A, pages.B].flatMap(Object.values<EventPage>)) page.leave()
  }
  compareTraces(story, 'the talk')
  // The authors are told of it a while later, in mails of their own.
  await inBoth(story, ({ server }) => server.clock.advance(TOLD_AFTER_MS))
  await inBoth(story, ({ server }) => server.runJobs())
  compareTraces(story, 'the mails about the talk')

  async function openPages(world: World): Promise<Record<Role, EventPage>> {
    const ids = story.items.map((item) => item.ids[world.name])
    const opened = LISTENERS.map(async (role) => [
      role,
      await world.openPage(world.people[role], ids),
    ])
    return Object.fromEntries(await Promise.all(opened))
  }
}

async function talkAbout(story: Story, item: Item): Promise<void> {
  for (const [number, by] of OBSERVERS.entries()) {
    // Nobody at the instant of anybody else: what is listed has one order.
    await inBoth(story, ({ server }) => server.clock.advance(1000))
    const emoji = EMOJIS[number % EMOJIS.length]
    await ask(story, by, item, 'POST', '/api/reactions', ({ name }) => ({
      revelation_id: item.ids[name],
      emoji,
    }))
    await judge(story, by, item, number)
    const said = await ask(story, by, item, 'POST', '/api/comments', ({ name }) => ({
      revelation_id: item.ids[name],
      content: `${by} parie : ${SEARCHED_WORDS[number]}`,
    }))
    await tryToRemove(story, item, by, said)
  }
  const one = ({ name }: World) => item.ids[name]
  for (const by of OBSERVERS) {
    await ask(story, by, item, 'GET', (world) => `/api/reactions/${one(world)}`)
    await ask(story, by, item, 'GET', (world) => `/api/comments/${one(world)}?limit=2`)
  }
  await ask(story, 'friend', item, 'DELETE', (world) => `/api/reactions/${one(world)}`)
  await ask(story, 'friend', item, 'DELETE', (world) => `/api/revelations/${one(world)}/vote`)
}

/** Everybody votes on what became of it, and tries to say it in the place of its author. */
async function judge(story: Story, by: Asker, item: Item, number: number): Promise<void> {
  const at = ({ name }: World) => `/api/revelations/${item.ids[name]}`
  const body = () => ({ outcome: OUTCOMES[number % OUTCOMES.length] })
  await ask(story, by, item, 'PUT', (world) => `${at(world)}/vote`, body)
  const { A } = await ask(story, by, item, 'PUT', (world) => `${at(world)}/outcome`, body)
  if (by !== item.by) requireRefusal(`declaring the outcome of ${item.by} by ${by}`, A)
}

/** By everybody who neither wrote it nor what it stands under. */
async function tryToRemove(
  story: Story,
  item: Item,
  author: Asker,
  said: Pair<Seen>,
): Promise<void> {
  const ids = { A: jsonOf(said.A).id, B: jsonOf(said.B).id }
  if (!ids.A || !ids.B) return
  const others = OBSERVERS.filter((by) => by !== author && by !== item.by)
  for (const by of others) {
    const path = ({ name }: World) => `/api/comments/${ids[name]}`
    const { A } = await ask(story, by, item, 'DELETE', path)
    requireRefusal(`removing the comment of ${author} by ${by}`, A)
  }
}

function ask(
  story: Story,
  by: Asker,
  item: Item,
  method: string,
  path: string | ((world: World) => string),
  body?: (world: World) => object,
): Promise<Pair<Seen>> {
  return askBoth(story, { by, item }, (world) => ({
    method,
    path: typeof path === 'string' ? path : path(world),
    body: body?.(world),
  }))
}

/** What each page heard of each revelation, all of it together: how it was gathered is a matter of time. */
async function hear(
  story: Story,
  { name, server, people }: World,
  pages: Record<Role, EventPage>,
): Promise<Record<Role, string>> {
  const heard = LISTENERS.map(async (role) => {
    const page = pages[role]
    await catchUp(server.ctx, page, people[role].id)
    const ofItem = ({ ids }: Item) => page.heard.filter(({ data }) => data.id === ids[name])
    const lines = story.items.map((item) => {
      const data = ofItem(item).map((event) => event.data)
      const changed = new Set(data.flatMap((one) => one.changed ?? []))
      return JSON.stringify({ ...data.at(-1), changed: [...changed].sort() })
    })
    return [role, lines.join('\n')]
  })
  return Object.fromEntries(await Promise.all(heard))
}

function asAnswer(text: string): Seen {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    bytes: Buffer.from(text),
  }
}
