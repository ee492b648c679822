import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { KINDS } from '#contract/kinds.ts'
import { CATEGORIES, type FileType } from '#contract/revelations.ts'
import { personalKeyFor } from '#server/features/access/personal-keys.service.ts'
import { uploadForm } from '#testing/uploads.ts'
import { jsonOf } from './calls.ts'
import {
  LOCKED_STATIONERY,
  lockedAlbumCaptions,
  lockedCaptions,
  lockedFile,
  lockedLetter,
  lockedNote,
  lockedVoiceWords,
  type Pair,
  sharedFile,
  sharedLetter,
  TEASERS,
  titleOf,
  type WorldName,
} from './secrets.ts'
import {
  compareBoth,
  type Item,
  inBoth,
  pathOf,
  requireRefusal,
  type SentFile,
  type Story,
  type Truth,
} from './story.ts'
import type { Seal, Step } from './trace.ts'
import { type Role, START, type StockName, stockFileOf, type World } from './worlds.ts'

const AN_HOUR_MS = 3_600_000
const A_DAY_MS = 24 * AN_HOUR_MS
/** Beyond all that a trace can wait. */
const FAR_MS = 40 * A_DAY_MS

type Fields = Record<string, unknown>

/** Moves both clocks, so that no two things are created at the same instant. */
async function tick(story: Story): Promise<number> {
  await inBoth(story, ({ server }) => server.clock.advance(1000))
  story.count += 1
  return story.count
}

/** Every instant of a trace is its own, so that no order depends on chance. */
function instant(story: Story, opens: 'soon' | 'far', soonMs: number): string {
  const now = story.worlds.A.server.clock.now.getTime()
  const base = opens === 'far' ? START.getTime() + FAR_MS : now + soonMs
  return new Date(base + story.count * 61_000).toISOString()
}

function addressOf(to: Seal['to'], world: World): string {
  return to === 'nobody here' ? 'quelquun@exemple.test' : world.people[to].email
}

/** Fields that a client cannot set. */
function forgedFields({ people }: World): Fields {
  const early = '2020-01-01T00:00:00.000Z'
  return {
    is_revealed: true,
    author_id: people.stranger.id,
    authorId: people.stranger.id,
    reveal_at: early,
    revealAt: early,
    created_at: early,
    updated_at: early,
    views_count: 4242,
    reactions_count: 4242,
    version: 9,
    searchable: true,
    processing_status: 'completed',
  }
}

export async function seal(story: Story, step: Seal): Promise<void> {
  const number = await tick(story)
  const isLocked = step.by === 'author' && step.opens === 'far'
  const file = await provideFile(story, step, step.file, isLocked)
  const others = isLocked && file ? await provideOthers(story) : undefined
  const voice = isLocked ? await provideVoice(story) : undefined
  const truths = await inBoth(story, (world) => ({
    title: titleOf(number),
    content: isLocked ? lockedLetter(world.name, step.pick) : sharedLetter(step.pick),
    visibility: step.visibility,
    reveal_date: instant(story, step.opens, 6 * AN_HOUR_MS),
    target_email: addressOf(step.to, world),
  }))
  const key = `lettre-${number}`
  const seen = await compareBoth(story, { by: step.by }, (world) => ({
    method: 'POST',
    path: '/api/revelations',
    headers: { [IDEMPOTENCY_HEADER]: key },
    body: {
      ...(step.isForged ? forgedFields(world) : {}),
      ...truths[world.name],
      kind: KINDS[step.pick % 5],
      category: CATEGORIES[step.pick % 3],
      ...(file ? albumOf(world, file, others) : {}),
      ...(file?.kind === 'video' ? TEASERS[0] : {}),
      ...(file?.kind === 'video' && isLocked ? { file_words: lockedCaptions(world.name) } : {}),
      ...(isLocked && {
        announcement_note: 'Un peu de patience.',
        opening_note: lockedNote(world.name),
        ...LOCKED_STATIONERY[world.name],
      }),
      ...(voice && {
        seal_voice: voice.sent[world.name].url,
        seal_voice_words: lockedVoiceWords(world.name),
      }),
    },
  }))
  if (seen.A.status !== 201) return
  const ids = await inBoth(story, ({ name }) => jsonOf(seen[name]).revelation.id as string)
  story.items.push({
    by: step.by,
    opens: step.opens,
    ids,
    key,
    deliveries: await inBoth(story, (world) => deliveryOf(world, ids[world.name])),
    truth: truths,
    file,
    others: others ?? [],
    voice,
    isGone: false,
  })
  // A count of reactions of its own gives each item its place in « popular ».
  await inBoth(story, ({ server, name }) =>
    server.ctx.db
      .updateTable('revelations')
      .set({ reactionsCount: (number * 7) % 31 })
      .where('id', '=', ids[name])
      .execute(),
  )
}

async function deliveryOf({ server }: World, revelationId: string) {
  const { id } = await server.ctx.db
    .selectFrom('deliveries')
    .select('id')
    .where('revelationId', '=', revelationId)
    .executeTakeFirstOrThrow()
  return { id, key: personalKeyFor(server.ctx, id) }
}

/** The voice of the first letter of a trace that stays locked. */
async function provideVoice(story: Story): Promise<SentFile | undefined> {
  const name = 'locked voice of a seal'
  if (story.usedStock.has(name)) return undefined
  story.usedStock.add(name)
  return addFile(story, 'author', 'audio', await inBoth(story, ({ stock }) => stock[name]))
}

/** What follows the file of the first such letter of a trace: in one world alone. */
async function provideOthers(story: Story): Promise<SentFile[] | undefined> {
  const names = ['locked page', 'other locked page'] as const
  if (names.some((name) => story.usedStock.has(name))) return undefined
  const others: SentFile[] = []
  for (const name of names) {
    story.usedStock.add(name)
    const sent = await inBoth(story, ({ stock }) => stock[name])
    others.push(await addFile(story, 'author', 'document', sent))
  }
  return others
}

/** The same first file in both worlds; how many follow it, and what is said of each, differs. */
function albumOf({ name }: World, file: SentFile, others: SentFile[] | undefined): Fields {
  const file_url = file.sent[name].url
  if (!others) return { file_url }
  const more = name === 'A' ? [] : others.map(({ sent }) => sent[name].url)
  return { file_urls: [file_url, ...more], captions: lockedAlbumCaptions(name) }
}

/** A file of the kind, from the stock or uploaded now; a slow kind outside the stock becomes a document. */
async function provideFile(
  story: Story,
  { by, pick }: { by: Role; pick: number },
  wanted: FileType | 'none',
  isLocked: boolean,
): Promise<SentFile | undefined> {
  if (wanted === 'none') return undefined
  const stockName = `${isLocked ? 'locked' : 'shared'} ${wanted}` as StockName
  const inStock = by === 'author' && story.worlds.A.stock[stockName]
  if (inStock && !story.usedStock.has(stockName)) {
    story.usedStock.add(stockName)
    return addFile(story, by, wanted, await inBoth(story, ({ stock }) => stock[stockName]))
  }
  const kind = wanted === 'image' ? 'image' : 'document'
  const files = await inBoth(story, ({ name }) =>
    isLocked ? lockedFile(name, kind, pick) : sharedFile(kind, pick),
  )
  const seen = await compareBoth(story, { by }, ({ name }) => {
    const { headers, before, after } = uploadForm(files[name])
    const body = Buffer.concat([before, files[name].bytes, after])
    return { method: 'POST', path: '/api/upload', headers, body }
  })
  if (seen.A.status !== 201) return undefined
  return addFile(
    story,
    by,
    kind,
    await inBoth(story, ({ name }) => stockFileOf(jsonOf(seen[name]))),
  )
}

function addFile(story: Story, by: Role, kind: FileType, sent: SentFile['sent']): SentFile {
  const file = { by, kind, sent }
  story.files.push(file)
  return file
}

type Edit = Extract<Step, { do: 'edit' }>

interface Plan {
  fields: Pair<Fields>
  /** The item after an accepted edit. */
  opens?: Item['opens']
  file?: SentFile | undefined
}

export async function edit(story: Story, item: Item, step: Edit): Promise<void> {
  await tick(story)
  const isOwn = step.by === item.by
  const plan = await planEdit(story, item, step)
  const seen = await compareBoth(story, { by: step.by, item }, (world) => ({
    method: 'PUT',
    path: pathOf(item, world.name),
    body: { ...(step.isForged ? forgedFields(world) : {}), ...plan.fields[world.name] },
  }))
  if (!isOwn) requireRefusal(`editing by ${step.by}`, seen.A)
  if (seen.A.status !== 200) return
  item.opens = plan.opens ?? item.opens
  if ('file' in plan) item.file = plan.file
  if (item.opens === 'soon') item.voice = undefined
  for (const name of ['A', 'B'] as const) {
    item.truth[name] = truthAfter(item.truth[name], plan.fields[name])
  }
}

function truthAfter(truth: Truth, fields: Fields): Truth {
  const { targetEmail, revealDate, ...named } = fields
  const twins = {
    ...(targetEmail ? { target_email: targetEmail } : {}),
    ...(revealDate ? { reveal_date: revealDate } : {}),
  }
  const changed = { ...named, ...twins } as Partial<Truth>
  return Object.fromEntries(
    Object.entries(truth).map(([name, value]) => [name, changed[name as keyof Truth] ?? value]),
  ) as unknown as Truth
}

/**
 * Whether an edit changes the letter is no secret: its version and its commitment show it (behaviour.md 3.6). So it must
 * change in both worlds, or in neither.
 */
function comparablePick({ truth }: Item, pick: number): number {
  const isUnchanged = (name: WorldName) => lockedLetter(name, pick) === truth[name].content
  return isUnchanged('A') === isUnchanged('B') ? pick : pick + 1
}

async function planEdit(story: Story, item: Item, step: Edit): Promise<Plan> {
  const { by, pick } = step
  // What stays locked differs; what others send, and what opens within the trace, does not.
  const isLocked = by === 'author' && item.by === 'author' && item.opens === 'far'
  const lockedPick = comparablePick(item, pick)
  const letter = ({ name }: World) =>
    isLocked ? lockedLetter(name, lockedPick) : sharedLetter(pick)
  const of = async (fields: (world: World) => Fields): Promise<Plan> => ({
    fields: await inBoth(story, fields),
  })
  switch (step.change) {
    case 'title':
      return of(() => ({ title: titleOf(story.count) }))
    case 'letter':
      return of((world) => ({ content: letter(world) }))
    case 'visibility':
      return of(() => ({
        visibility: (['public', 'friends', 'family', 'private'] as const)[pick % 4],
      }))
    case 'addressee':
      return of(({ people }) => ({
        target_email: people[pick % 2 ? 'addressee' : 'claimant'].email,
      }))
    case 'teaser':
      return of(() => ({ ...TEASERS[pick % 2] }))
    case 'no teaser':
      return of(() => ({ teaser_start: null, teaser_end: null }))
    case 'later': {
      const plan = await of(() => ({ reveal_date: instant(story, 'far', 0) }))
      return { ...plan, opens: 'far' }
    }
    case 'open soon': {
      const reveal_date = instant(story, 'soon', 37 * AN_HOUR_MS)
      const plan = await of(() => ({
        reveal_date,
        content: sharedLetter(pick),
        file_url: null,
        seal_voice: null,
        opening_note: null,
        paper: 'wove',
        ink: 'black',
      }))
      return { ...plan, opens: 'soon', file: undefined }
    }
    case 'no file':
      return { ...(await of(() => ({ file_url: null }))), file: undefined }
    case 'file': {
      const kind = (['document', 'image'] as const)[pick % 2] ?? 'document'
      const file = await provideFile(story, step, kind, isLocked)
      if (!file) return of(() => ({}))
      return { ...(await of(({ name }) => ({ file_url: file.sent[name].url }))), file }
    }
    case 'everything, in camelCase':
      return of((world) => ({
        title: titleOf(story.count),
        content: letter(world),
        targetEmail: world.people.addressee.email,
        revealDate: item.truth[world.name].reveal_date,
        category: CATEGORIES[pick % 3],
        visibility: item.truth[world.name].visibility,
        isPrivate: false,
      }))
  }
}
