import type { AddressedVariant } from '#server/features/media/media-names.rules.ts'
import { ticketFor } from '#server/features/media/media-tickets.service.ts'
import { addressOf } from './file-requests.ts'
import { type Asked, jsonOf } from './requests.ts'
import { lockedLetter, type Pair, sharedLetter } from './secrets.ts'
import {
  askBoth,
  compareTraces,
  inBoth,
  requireRefusal,
  type SentFile,
  type Story,
} from './story.ts'
import { type Asker, OBSERVERS } from './trace.ts'
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
 * The author shares voices, two of them locked, with other bytes, names, lengths and words in each world. Everybody asks for
 * them, at every door, and for what the circle counts and shows of them in its calendar.
 */
export async function voices(story: Story): Promise<void> {
  const all = [
    await share(story, 'locked voice', {}),
    await share(story, 'other locked voice', { to: 'friend' }),
    await share(story, 'open voice', {}),
  ]
  await inBoth(story, ({ server }) => server.runJobs())
  await keepCalendars(story)
  for (const by of OBSERVERS) {
    for (const voice of all) await askForVoice(story, by, voice)
    await askAround(story, by)
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
  const seen = await askBoth(story, { by: 'author' }, (world) => ({
    method: 'POST',
    path: '/api/family-sounds',
    body: {
      title: `Un message : ${stockName}`,
      description: isLocked ? lockedLetter(world.name, 1) : sharedLetter(1),
      file_url: world.stock[stockName].url,
      category: 'memory',
      ...(to && { recipient_id: world.people[to].id }),
      ...(isLocked && { reveal_date: FAR, reveal_message: 'Patience.' }),
      // What a client has no say in.
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

async function askForVoice(story: Story, by: Asker, { ids, file, isLocked }: Voice): Promise<void> {
  const ask = (method: string, path: (world: World) => string, body?: object) =>
    askBoth(story, { by }, (world) => ({ method, path: path(world), body }))
  const at =
    (what = '') =>
    ({ name }: World) =>
      `/api/family-sounds/${ids[name]}${what}`
  await ask('GET', at())
  await ask('PUT', at('/favorite'), {})
  for (const [method, what] of [
    ['PUT', '/play'],
    ['GET', '/waveform'],
  ] as const) {
    const { A } = await ask(method, at(what))
    if (isLocked) requireRefusal(`${method} ${what} of a locked voice by ${by}`, A)
  }
  for (const variant of VARIANTS) {
    const { A } = await ask('GET', (world) => ticketed(world, file, variant, by))
    if (isLocked) requireRefusal(`${variant} of a locked voice by ${by}`, A)
  }
  requireRefusal(`deleting a voice by ${by}`, (await ask('DELETE', at())).A)
  const taken = await askBoth(story, { by }, (world) => ({
    method: 'POST',
    path: '/api/family-sounds',
    body: { title: 'À moi', file_url: file.sent[world.name].url },
  }))
  requireRefusal(`sharing the file of a voice by ${by}`, taken.A)
}

/** A ticket that the server made for this very person: only the gate stands in between. */
function ticketed(world: World, file: SentFile, variant: AddressedVariant, by: Asker): string {
  const isMember = by !== 'visitor' && by !== 'bearer'
  const holder = isMember ? `session:${world.people[by].sessionId}` : 'visitor'
  const { id } = file.sent[world.name]
  return `${addressOf(world, file, variant)}?token=${ticketFor(world.server.ctx, id, variant, holder)}`
}

/** Lists, figures and calendars. */
async function askAround(story: Story, by: Asker): Promise<void> {
  for (const path of [
    '/api/family-sounds',
    '/api/family-sounds?limit=1',
    '/api/circle/members',
    '/api/circle/statistics',
    '/api/circle/reveals?from=2026-11-01&to=2027-03-01',
    '/api/calendar-events',
    FEED,
  ]) {
    await askBoth(story, { by }, () => ({ method: 'GET', path }))
  }
}

/** Everybody keeps a calendar and subscribes to it: nobody but the bearer of its address reads it. */
async function keepCalendars(story: Story): Promise<void> {
  const day = { title: 'La fête', date: '2027-05-17', type: 'holiday', description: '' }
  for (const by of OBSERVERS) {
    const ask = (asked: Asked) => askBoth(story, { by }, () => asked)
    await ask({ method: 'POST', path: '/api/calendar-events', body: day })
    await ask({ method: 'POST', path: '/api/calendar-events/import', body: { events: [day] } })
    const made = await ask({ method: 'POST', path: FEED })
    const urls = await inBoth(story, ({ name }) => jsonOf(made[name])?.url as string | undefined)
    if (!urls.A) continue
    await askBoth(story, { by: 'visitor' }, ({ name }) => ({
      method: 'GET',
      path: new URL(urls[name] ?? '').pathname,
    }))
  }
}

async function endCalendar(story: Story, by: Asker): Promise<void> {
  await askBoth(story, { by }, () => ({ method: 'DELETE', path: FEED }))
  if (by === 'visitor' || by === 'bearer') return
  const events = await inBoth(story, async ({ server, people }) => {
    const { body } = await server.call('GET', '/api/calendar-events', { as: people[by] })
    return body.events as { id: string; title: string }[]
  })
  const path = ({ name }: World) =>
    `/api/calendar-events/${events[name].find(({ title }) => title === 'La fête')?.id}`
  const others = ROLES.filter((role) => role !== by && role !== 'author')
  for (const other of others) {
    const { A } = await askBoth(story, { by: other }, (world) => ({
      method: 'DELETE',
      path: path(world),
    }))
    requireRefusal(`deleting an event of ${by} by ${other}`, A)
  }
  await askBoth(story, { by }, (world) => ({ method: 'DELETE', path: path(world) }))
}
