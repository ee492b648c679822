import type { AddressedVariant } from '#server/features/media/file-names.rules.ts'
import { createTicket } from '#server/features/media/file-serving.service.ts'
import { type Call, jsonOf } from './calls.ts'
import { addressOf } from './play.ts'
import { lockedLetter, type Pair, sharedLetter } from './secrets.ts'
import {
  compareBoth,
  compareTraces,
  inBoth,
  requireRefusal,
  type SentFile,
  type Story,
} from './story.ts'
import { type Caller, OBSERVERS } from './trace.ts'
import { ROLES, START, type StockName, type World } from './worlds.ts'

const AN_HOUR_MS = 3_600_000
/** Beyond all that a trace can wait. */
const FAR = new Date(START.getTime() + 60 * 24 * AN_HOUR_MS).toISOString()
const VARIANTS: readonly AddressedVariant[] = ['original', 'audio', 'seekable']
const FEED = '/api/calendar-feed'

interface Voice {
  ids: Pair<string>
  file: SentFile
  isLocked: boolean
}

/**
 * The author shares voice messages, two of them locked, with other bytes, names, lengths and words in each world. Everybody
 * tries every call about them, and the figures and calendars of the circle that count or show them.
 */
export async function shareVoices(story: Story): Promise<void> {
  const all = [
    await share(story, 'locked voice', {}),
    await share(story, 'other locked voice', { to: 'friend' }),
    await share(story, 'open voice', {}),
  ]
  await inBoth(story, ({ server }) => server.runJobs())
  await fillCalendars(story)
  for (const by of OBSERVERS) {
    for (const voice of all) await fetchVoice(story, by, voice)
    await fetchLists(story, by)
  }
  for (const by of OBSERVERS) await endCalendar(story, by)
  await inBoth(story, ({ server }) => server.clock.advance(AN_HOUR_MS))
  await inBoth(story, ({ server }) => server.runJobs())
  compareTraces(story, 'the voices')
}

async function share(
  story: Story,
  stockName: StockName,
  { to }: { to?: 'friend' },
): Promise<Voice> {
  await inBoth(story, ({ server }) => server.clock.advance(1000))
  const isLocked = stockName !== 'open voice'
  const sent = await inBoth(story, ({ stock }) => stock[stockName])
  const seen = await compareBoth(story, { by: 'author' }, (world) => ({
    method: 'POST',
    path: '/api/family-sounds',
    body: {
      title: `Un message : ${stockName}`,
      description: isLocked ? lockedLetter(world.name, 1) : sharedLetter(1),
      file_url: world.stock[stockName].url,
      category: 'memory',
      ...(to && { recipient_id: world.people[to].id }),
      ...(isLocked && { reveal_date: FAR, reveal_message: 'Patience.' }),
      // Fields that a client cannot set.
      author_id: world.people.stranger.id,
      is_revealed: true,
      duration: 4242,
      play_count: 4242,
    },
  }))
  const file: SentFile = { by: 'author', kind: 'audio', sent }
  story.files.push(file)
  return { ids: await inBoth(story, ({ name }) => jsonOf(seen[name]).sound.id), file, isLocked }
}

async function fetchVoice(story: Story, by: Caller, { ids, file, isLocked }: Voice): Promise<void> {
  const send = (method: string, path: (world: World) => string, body?: object) =>
    compareBoth(story, { by }, (world) => ({ method, path: path(world), body }))
  const at =
    (what = '') =>
    ({ name }: World) =>
      `/api/family-sounds/${ids[name]}${what}`
  await send('GET', at())
  await send('PUT', at('/favorite'), {})
  for (const [method, what] of [
    ['PUT', '/play'],
    ['GET', '/waveform'],
  ] as const) {
    const { A } = await send(method, at(what))
    if (isLocked) requireRefusal(`${method} ${what} of a locked voice by ${by}`, A)
  }
  for (const variant of VARIANTS) {
    const { A } = await send('GET', (world) => ticketed(world, file, variant, by))
    if (isLocked) requireRefusal(`${variant} of a locked voice by ${by}`, A)
  }
  requireRefusal(`deleting a voice by ${by}`, (await send('DELETE', at())).A)
  const theft = await compareBoth(story, { by }, (world) => ({
    method: 'POST',
    path: '/api/family-sounds',
    body: { title: 'À moi', file_url: file.sent[world.name].url },
  }))
  requireRefusal(`sharing the file of a voice by ${by}`, theft.A)
}

/** The address with a ticket of the server for this very person, so that only the gate can refuse. */
function ticketed(world: World, file: SentFile, variant: AddressedVariant, by: Caller): string {
  const isMember = by !== 'visitor' && by !== 'bearer'
  const holder = isMember ? `session:${world.people[by].sessionId}` : 'visitor'
  const { id } = file.sent[world.name]
  return `${addressOf(world, file, variant)}?token=${createTicket(world.server.ctx, id, variant, holder)}`
}

/** Lists, figures and calendars. */
async function fetchLists(story: Story, by: Caller): Promise<void> {
  for (const path of [
    '/api/family-sounds',
    '/api/family-sounds?limit=1',
    '/api/circle/members',
    '/api/circle/statistics',
    '/api/circle/reveals?from=2026-11-01&to=2027-03-01',
    '/api/calendar-events',
    FEED,
  ]) {
    await compareBoth(story, { by }, () => ({ method: 'GET', path }))
  }
}

/** Everybody fills a calendar and subscribes to it; only the bearer of its address reads it. */
async function fillCalendars(story: Story): Promise<void> {
  const day = { title: 'La fête', date: '2027-05-17', type: 'holiday', description: '' }
  for (const by of OBSERVERS) {
    const send = (call: Call) => compareBoth(story, { by }, () => call)
    await send({ method: 'POST', path: '/api/calendar-events', body: day })
    await send({ method: 'POST', path: '/api/calendar-events/import', body: { events: [day] } })
    const feed = await send({ method: 'POST', path: FEED })
    const urls = await inBoth(story, ({ name }) => jsonOf(feed[name])?.url as string | undefined)
    if (!urls.A) continue
    await compareBoth(story, { by: 'visitor' }, ({ name }) => ({
      method: 'GET',
      path: new URL(urls[name] ?? '').pathname,
    }))
  }
}

async function endCalendar(story: Story, by: Caller): Promise<void> {
  await compareBoth(story, { by }, () => ({ method: 'DELETE', path: FEED }))
  if (by === 'visitor' || by === 'bearer') return
  const events = await inBoth(story, async ({ server, people }) => {
    const { body } = await server.call('GET', '/api/calendar-events', { as: people[by] })
    return body.events as { id: string; title: string }[]
  })
  const path = ({ name }: World) =>
    `/api/calendar-events/${events[name].find(({ title }) => title === 'La fête')?.id}`
  const others = ROLES.filter((role) => role !== by && role !== 'author')
  for (const other of others) {
    const { A } = await compareBoth(story, { by: other }, (world) => ({
      method: 'DELETE',
      path: path(world),
    }))
    requireRefusal(`deleting an event of ${by} by ${other}`, A)
  }
  await compareBoth(story, { by }, (world) => ({ method: 'DELETE', path: path(world) }))
}
