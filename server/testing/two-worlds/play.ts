import type { FileType } from '#contract/revelations.ts'
import { type AddressedVariant, urlOf } from '#server/features/media/file-names.rules.ts'
import { createTicket } from '#server/features/media/file-serving.service.ts'
import { PASSWORD } from '#testing/test-server.ts'
import { type Call, jsonOf } from './calls.ts'
import { edit, seal } from './sealing-steps.ts'
import type { Pair } from './secrets.ts'
import {
  type Credentials,
  compareBoth,
  compareTraces,
  type Item,
  inBoth,
  pathOf,
  requireRefusal,
  type SentFile,
  type Story,
} from './story.ts'
import type { Caller, Door, Step } from './trace.ts'
import { findSessionId, type Role, type World } from './worlds.ts'

const AN_HOUR_MS = 3_600_000

/** Plays one step in both worlds; throws `Difference` when it lets an observer distinguish them. */
export async function play(story: Story, step: Step): Promise<void> {
  await perform(story, step)
  compareTraces(story, step.do)
}

async function perform(story: Story, step: Step): Promise<void> {
  switch (step.do) {
    case 'seal':
      return seal(story, step)
    case 'register':
      return register(story, step.name)
    case 'sign in':
      return signIn(story, step.by)
    case 'list':
      return list(story, step)
    case 'wait':
      return wait(story, step.until)
    case 'work':
      await inBoth(story, ({ server }) => server.runJobs())
      return
  }
  const item = story.items[step.item % story.items.length]
  if (!item) return
  const by = { by: step.by, item }
  switch (step.do) {
    case 'edit':
      return edit(story, item, step)
    case 'withdraw':
      return withdraw(story, item, step.by)
    case 'notify':
      return notify(story, item, step.by)
    case 'read':
      await compareBoth(story, by, ({ name }) => ({ method: 'GET', path: pathOf(item, name) }))
      return
    case 'view':
      await compareBoth(story, by, ({ name }) => ({
        method: 'POST',
        path: `${pathOf(item, name)}/view`,
      }))
      return
    case 'fetch': {
      const { file } = item
      if (!file) return
      const headers: Record<string, string> = step.range ? { range: step.range } : {}
      await compareBoth(story, by, (world) => ({
        ...fileRequest(world, file, step.door, { by: step.by, item }),
        headers,
      }))
      return
    }
    case 'get a job':
      for (const request of jobRequests(item.file)) await compareBoth(story, by, request)
  }
}

async function withdraw(story: Story, item: Item, by: Role): Promise<void> {
  const { A } = await compareBoth(story, { by, item }, ({ name }) => ({
    method: 'DELETE',
    path: pathOf(item, name),
  }))
  if (by !== item.by) requireRefusal(`withdrawing by ${by}`, A)
  if (A.status === 200) item.isGone = true
}

async function notify(story: Story, item: Item, by: Role): Promise<void> {
  const { A } = await compareBoth(story, { by, item }, ({ name }) => ({
    method: 'POST',
    path: '/api/email/notify-revelation',
    body: { revelationId: item.ids[name] },
  }))
  if (by !== item.by) requireRefusal(`notifying the recipient by ${by}`, A)
}

function list(story: Story, step: Extract<Step, { do: 'list' }>): Promise<void> {
  const { of, by } = step
  return turnPages(story, by, {
    path: ({ people }) =>
      of === 'everyone' ? '/api/revelations' : `/api/revelations/user/${people[of].id}`,
    query: Object.entries(step.query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
    pages: step.isPaged ? 3 : 1,
  })
}

async function wait(story: Story, until: Extract<Step, { do: 'wait' }>['until']): Promise<void> {
  const now = story.worlds.A.server.clock.now.getTime()
  const instants = story.items
    .filter(({ opens, isGone }) => opens === 'soon' && !isGone)
    .map(({ truth }) => Date.parse(truth.A.reveal_date))
    .filter((instant) => instant - 1 > now)
  const next = Math.min(now + AN_HOUR_MS, ...instants)
  const then = {
    '1 h': now + AN_HOUR_MS,
    '7 h': now + 7 * AN_HOUR_MS,
    '30 h': now + 30 * AN_HOUR_MS,
    'just before': next - 1,
    'the instant': next,
  }[until]
  await inBoth(story, ({ server }) => server.clock.advance(then - now))
}

async function signIn(story: Story, by: Role): Promise<void> {
  const seen = await compareBoth(
    story,
    { by: by === 'author' ? 'author' : 'visitor' },
    (world) => ({
      method: 'POST',
      path: '/api/auth/login',
      body: { email: world.people[by].email, password: PASSWORD },
    }),
  )
  await inBoth(story, async (world) => {
    const member = { ...world.people[by], token: jsonOf(seen[world.name]).token }
    world.people[by] = { ...member, sessionId: await findSessionId(world.server, member) }
  })
}

async function register(story: Story, name: number): Promise<void> {
  story.count += 1
  const pseudo = `nouveau_${name}_${story.count}`
  const seen = await compareBoth(story, { by: 'visitor' }, () => ({
    method: 'POST',
    path: '/api/auth/register',
    body: { pseudo, email: `${pseudo}@exemple.test`, password: PASSWORD },
  }))
  await compareBoth(story, { by: 'visitor' }, (world) => ({
    method: 'GET',
    path: '/api/revelations',
    token: jsonOf(seen[world.name]).token,
  }))
}

interface Listing {
  path(world: World): string
  query: [string, string][]
  /** How many pages are turned at most. */
  pages: number
}

/** Reads a list page by page, each world by its own cursors. */
export async function turnPages(
  story: Story,
  by: Caller,
  { path, query, pages }: Listing,
): Promise<void> {
  const marks: Pair<string | null> = { A: null, B: null }
  for (let page = 0; page < pages; page += 1) {
    const seen = await compareBoth(story, { by }, (world) => {
      const parameters = new URLSearchParams(query)
      const mark = marks[world.name]
      if (mark) parameters.set('cursor', mark)
      return { method: 'GET', path: `${path(world)}?${parameters}` }
    })
    marks.A = jsonOf(seen.A).next_cursor
    marks.B = jsonOf(seen.B).next_cursor
    if (!marks.A || !marks.B) return
  }
}

const PREPARED: Record<FileType, AddressedVariant> = {
  video: 'mobile',
  image: 'image',
  audio: 'audio',
  document: 'original',
}

function variantAt(door: Door, kind: FileType): AddressedVariant {
  switch (door) {
    case 'original':
    case 'copy':
      return door
    case 'variant':
      return PREPARED[kind]
    case 'thumbnail':
      return 'thumbnail_complete'
    case 'teaser':
      return 'teaser'
    case 'poster':
      return 'thumbnail_teaser'
  }
}

/** A file with a ticket of the server for this very person, so that only the gate can refuse. */
export function fileRequest(
  world: World,
  file: SentFile,
  door: Door,
  credentials: Credentials,
): Call {
  const variant = variantAt(door, file.kind)
  const { ctx } = world.server
  const { id } = file.sent[world.name]
  const ticket = createTicket(ctx, id, variant, holderOf(world, credentials))
  return { method: 'GET', path: `${addressOf(world, file, variant)}?token=${ticket}` }
}

export function addressOf(world: World, file: SentFile, variant: AddressedVariant): string {
  return urlOf(file.sent[world.name], variant)
}

function holderOf(world: World, { by, item }: Credentials): string {
  if (by === 'visitor') return 'visitor'
  if (by === 'bearer') return `key:${item?.deliveries[world.name].id ?? ''}`
  return `session:${world.people[by].sessionId}`
}

/** Every call about the preparation of a file. */
export function jobRequests(file: SentFile | undefined): ((world: World) => Call)[] {
  if (!file) return []
  return [
    ...file.sent.A.jobIds.map((_, index) => ({ name }: World) => ({
      method: 'GET',
      path: `/api/jobs/status/${file.sent[name].jobIds[index]}`,
    })),
    ({ name }) => ({
      method: 'POST',
      path: '/api/jobs/batch-status',
      body: { jobIds: file.sent[name].jobIds },
    }),
    () => ({ method: 'GET', path: '/api/jobs/stats' }),
  ]
}
