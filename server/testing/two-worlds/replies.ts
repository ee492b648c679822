import { type Call, jsonOf, type Seen } from './calls.ts'
import { type Pair, replyWords } from './secrets.ts'
import {
  compareBoth,
  compareTraces,
  type Item,
  inBoth,
  pathOf,
  requireRefusal,
  type Story,
  sendBoth,
} from './story.ts'
import { type Caller, OBSERVERS } from './trace.ts'
import type { World } from './worlds.ts'

/** Who a letter may be for; what they wrote differs between the worlds. */
const WRITERS: readonly Caller[] = ['addressee', 'bearer']
const NOBODYS = '00000000-0000-4000-8000-000000000000'

/**
 * Whoever received a letter replies to its author, who writes back: words that differ between the worlds, and that nobody
 * else may see, answer, delete, report or be mailed.
 */
export async function exchangeReplies(story: Story): Promise<void> {
  for (const item of story.items) await exchange(story, item)
  compareTraces(story, 'the replies')
  await inBoth(story, ({ server }) => server.runJobs())
  compareTraces(story, 'the mails about replies')
  for (const item of story.items) {
    for (const by of OBSERVERS.filter((one) => !WRITERS.includes(one) && one !== item.by)) {
      await compareBoth(story, { by, item }, listing(item))
    }
  }
}

const at = (item: Item) => (world: World) => `${pathOf(item, world.name)}/replies`

function listing(item: Item): (world: World) => Call {
  return (world) => ({ method: 'GET', path: at(item)(world) })
}

async function exchange(story: Story, item: Item): Promise<void> {
  const writing = (world: World) => ({
    method: 'POST',
    path: at(item)(world),
    body: { content: replyWords(world.name), emoji: '❤️' },
  })
  for (const by of WRITERS) {
    await inBoth(story, ({ server }) => server.clock.advance(1000))
    await sendBoth(story, { by, item }, writing)
  }
  const { A, B } = await sendBoth(story, { by: item.by, item }, listing(item))
  const ids = { A: lastIdIn(A), B: lastIdIn(B) }
  const one = (world: World) => `${at(item)(world)}/${ids[world.name]}`
  await sendBoth(story, { by: item.by, item }, (world) => ({
    method: 'POST',
    path: `${one(world)}/answer`,
    body: { content: replyWords(world.name) },
  }))
  await sendBoth(story, { by: item.by, item }, (world) => ({
    method: 'POST',
    path: `${one(world)}/block`,
  }))
  const blocks = await sendBoth(story, { by: item.by, item }, listing(item))
  const blockIds = { A: blockIn(blocks.A), B: blockIn(blocks.B) }
  const meddling: ((world: World) => Call)[] = [
    (world) => ({ method: 'POST', path: `${one(world)}/answer`, body: { content: 'Et moi' } }),
    (world) => ({ method: 'POST', path: `${one(world)}/block` }),
    (world) => ({ method: 'POST', path: `${at(item)(world)}/read` }),
    ({ name }) => ({ method: 'DELETE', path: `/api/replies/blocks/${blockIds[name]}` }),
    ({ name }) => ({
      method: 'POST',
      path: '/api/reports',
      body: { target: 'reply', target_id: ids[name], reason: 'spam' },
    }),
  ]
  const forStrangers = [
    listing(item),
    writing,
    (world: World) => ({ method: 'DELETE', path: one(world) }),
  ]
  for (const by of OBSERVERS.filter((observer) => observer !== item.by)) {
    for (const call of WRITERS.includes(by) ? meddling : [...forStrangers, ...meddling]) {
      const { A: seen } = await compareBoth(story, { by, item }, call)
      requireRefusal(`meddling with replies by ${by}`, seen)
    }
  }
  await unblock(story, item, blockIds)
}

/** So that the next letter is answered too. */
async function unblock(story: Story, item: Item, ids: Pair<string>): Promise<void> {
  await sendBoth(story, { by: item.by, item }, ({ name }) => ({
    method: 'DELETE',
    path: `/api/replies/blocks/${ids[name]}`,
  }))
}

function lastIdIn(seen: Seen): string {
  return jsonOf(seen)?.replies?.at(-1)?.id ?? NOBODYS
}

function blockIn(seen: Seen): string {
  return jsonOf(seen)?.blocks?.at(-1)?.id ?? NOBODYS
}
