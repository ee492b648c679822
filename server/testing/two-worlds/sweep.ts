import { createHash } from 'node:crypto'
import { hashField } from '#contract/proofs/fields.ts'
import { FILE_TYPES } from '#contract/revelations.ts'
import { commitmentOf } from '#server/platform/sealing/commitment.ts'
import { jsonOf, type Seen } from './calls.ts'
import {
  aboutAccounts,
  aboutExports,
  aboutMailLinks,
  aboutNotifications,
  aboutPeople,
  aboutReminders,
  aboutReports,
  aboutTies,
  aboutTokens,
} from './people-questions.ts'
import { turnPages } from './play.ts'
import {
  aboutEverything,
  aboutFiles,
  aboutItems,
  aboutWords,
  FEED,
  meddling,
  type Question,
} from './questions.ts'
import { GUESSED_TEXTS, lockedFile, type Pair } from './secrets.ts'
import {
  compareAnswers,
  compareBoth,
  compareTraces,
  Difference,
  type Item,
  inBoth,
  pathOf,
  requireRefusal,
  type Story,
  sendBoth,
} from './story.ts'
import { OBSERVERS } from './trace.ts'
import type { World } from './worlds.ts'

const AT_ONCE = 8

/** Every observer fetches every revelation, and pages through all of them. */
export async function sweepItems(story: Story): Promise<void> {
  await sweepViews(story)
  const query: [string, string][] = [
    ['sort', 'popular'],
    ['limit', '1'],
  ]
  const pageByPage = { path: () => FEED, query, pages: 9 }
  // All of them to their end: calls after a difference would disturb the next trace.
  const turned = await Promise.allSettled(OBSERVERS.map((by) => turnPages(story, by, pageByPage)))
  for (const turning of turned) if (turning.status === 'rejected') throw turning.reason
}

/** Every observer sends every other call; throws `Difference` at the first answer that differs. */
export async function sweepEverything(story: Story): Promise<void> {
  await sendAll(story, [...aboutEverything(), ...aboutPeople(), ...aboutFiles(story)])
  // One after the other: they count something, or would change something if accepted.
  for (const question of [
    ...aboutExports(),
    ...meddling(story),
    ...aboutTies(),
    ...aboutNotifications(),
    ...aboutReports(story),
    ...aboutAccounts(),
    ...aboutTokens(),
    ...aboutMailLinks(story),
    ...aboutReminders(story),
  ]) {
    judge(story, question, await sendBoth(story, question.credentials, question.call))
  }
  compareTraces(story, 'the sweep')
}

/** The end of every trace: recipients notified, due revelations open, mails sent; then one more sweep. */
export async function epilogue(story: Story): Promise<void> {
  await notifyAll(story)
  const instants = story.items
    .filter(({ opens }) => opens === 'soon')
    .map(({ truth }) => Date.parse(truth.A.reveal_date))
  // One after the other, as they open: what is told at one instant has no order of its own.
  for (const instant of instants.toSorted((one, other) => one - other)) {
    await inBoth(story, async ({ server }) => {
      server.clock.advance(Math.max(0, instant - server.clock.now.getTime()))
      await server.runJobs()
    })
  }
  compareTraces(story, 'all that opens soon is open')
  await sweepViews(story)
  await sweepNotifications(story)
  await sendAll(story, [...aboutWords(() => FEED)])
}

/** Recipients are notified of everything, and everybody looks at what they were told. */
export async function notifyAll(story: Story): Promise<void> {
  for (const item of story.items) {
    await compareBoth(story, { by: item.by, item }, ({ name }) => ({
      method: 'POST',
      path: '/api/email/notify-revelation',
      body: { revelationId: item.ids[name] },
    }))
  }
  await inBoth(story, ({ server }) => server.runJobs())
  compareTraces(story, 'all recipients were notified')
  await sweepNotifications(story)
}

/** One after the other: what one reads is read for the next. */
async function sweepNotifications(story: Story): Promise<void> {
  for (const question of aboutNotifications()) {
    judge(story, question, await sendBoth(story, question.credentials, question.call))
  }
}

/** The bearer last: opening a letter writes a line that its author reads. */
async function sweepViews(story: Story): Promise<void> {
  const others = OBSERVERS.filter((by) => by !== 'bearer')
  await sendAll(story, [...aboutItems(story, others)])
  await sendAll(story, [...aboutItems(story, ['bearer'])])
}

async function sendAll(story: Story, questions: readonly Question[]): Promise<void> {
  for (let start = 0; start < questions.length; start += AT_ONCE) {
    const batch = questions.slice(start, start + AT_ONCE)
    const answers = await Promise.all(
      batch.map(({ credentials, call }) => sendBoth(story, credentials, call)),
    )
    for (const [index, question] of batch.entries()) {
      judge(story, question, answers[index] as Pair<Seen>)
    }
  }
}

function judge(story: Story, question: Question, seen: Pair<Seen>): void {
  const { credentials, isRefused } = question
  const call = question.call(story.worlds.A)
  compareAnswers(story, credentials.by, call, seen)
  if (isRefused) requireRefusal(`${call.method} ${call.path} by ${credentials.by}`, seen.A)
}

/** The author finds each item unchanged, or deleted by the author, after all that others tried. */
export async function requireUntouched(story: Story): Promise<void> {
  for (const item of story.items) await requireUntouchedItem(story, item)
}

async function requireUntouchedItem(story: Story, item: Item): Promise<void> {
  const seen = await sendBoth(story, { by: item.by, item }, ({ name }) => ({
    method: 'GET',
    path: pathOf(item, name),
  }))
  for (const name of ['A', 'B'] as const) {
    const { revelation } = jsonOf(seen[name])
    if (item.isGone !== (revelation === undefined)) {
      throw new Difference(`${pathOf(item, name)} answers ${seen[name].status} to its author`)
    }
    for (const [field, value] of Object.entries(item.isGone ? {} : item.truth[name])) {
      if (revelation[field] === value) continue
      throw new Difference(`${field} became « ${revelation[field]} » instead of « ${value} »`)
    }
  }
}

/** The source of a digest, by the beginning of the digest. */
type Guesses = Map<string, string>

const COMPARED_CHARACTERS = 22

/** No masked value is a hash of a guessable text, alone or with fields of the envelope. */
export async function requireUnguessable(story: Story): Promise<void> {
  for (const name of ['A', 'B'] as const) await guessIn(story, story.worlds[name])
}

async function guessIn(story: Story, world: World): Promise<void> {
  const guesses: Guesses = new Map(await guessesOfBytes())
  const seen = story.forms[world.name].masked()
  for (const item of story.items) {
    for (const text of GUESSED_TEXTS) guessWithEnvelope(guesses, world, item, text)
    await guessWithSalts(guesses, world, item, seen)
  }
  for (const masked of seen) {
    const found = guesses.get(masked.replaceAll('"', '').slice(0, COMPARED_CHARACTERS))
    if (found) throw new Difference(`${masked} can be guessed: ${found}`)
  }
}

function addDigest(guesses: Guesses, digest: Buffer, what: string): void {
  for (const encoding of ['hex', 'base64url'] as const) {
    guesses.set(digest.toString(encoding).slice(0, COMPARED_CHARACTERS), what)
  }
}

function guess(guesses: Guesses, bytes: string | Buffer, what: string): void {
  for (const algorithm of ['sha256', 'sha1', 'md5', 'sha512']) {
    addDigest(guesses, createHash(algorithm).update(bytes).digest(), `${algorithm} of ${what}`)
  }
}

let bytesGuessed: Promise<Guesses> | undefined

function guessesOfBytes(): Promise<Guesses> {
  bytesGuessed ??= (async () => {
    const guesses: Guesses = new Map()
    for (const text of GUESSED_TEXTS) guess(guesses, text, `« ${text} »`)
    for (const kind of FILE_TYPES) {
      for (const pick of [0, 1]) {
        for (const world of ['A', 'B'] as const) {
          guess(guesses, (await lockedFile(world, kind, pick)).bytes, `the ${kind} of ${world}`)
        }
      }
    }
    return guesses
  })()
  return bytesGuessed
}

function guessWithEnvelope(guesses: Guesses, world: World, item: Item, text: string): void {
  const id = item.ids[world.name]
  const authorId = world.people[item.by].id
  const { title } = item.truth[world.name]
  const what = `« ${text} » and what is seen`
  for (const seen of [id, title, authorId]) {
    for (const between of ['', ':', '|', '\n']) {
      guess(guesses, seen + between + text, what)
      guess(guesses, text + between + seen, what)
    }
  }
}

const A_SALT = /^[0-9a-f]{64}$/

/** A commitment without a secret salt would let a letter be found by trying. */
async function guessWithSalts(
  guesses: Guesses,
  { name, people }: World,
  item: Item,
  seen: readonly string[],
): Promise<void> {
  const { title, reveal_date } = item.truth[name]
  const id = item.ids[name]
  const facts = { id, authorId: people[item.by].id, title, revealAt: new Date(reveal_date) }
  const visible = seen.filter((masked) => A_SALT.test(masked)).map((hex) => Buffer.from(hex, 'hex'))
  const salts = [Buffer.alloc(0), Buffer.alloc(32), Buffer.from(id), ...visible]
  const kind = item.file?.kind
  const bytes = kind && (await lockedFile(name, kind, 0)).bytes
  const fileSha256 = bytes && createHash('sha256').update(bytes).digest()
  for (const content of GUESSED_TEXTS) {
    for (const salt of salts) {
      const commitment = commitmentOf(salt, { ...facts, content, fileSha256 })
      addDigest(guesses, commitment, `a commitment to « ${content} » without a secret salt`)
      const field = hashField(salt, 'content', { type: 'text', value: content })
      addDigest(guesses, Buffer.from(field), `the field « ${content} » without a secret salt`)
    }
  }
}
