import { createHash } from 'node:crypto'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import type { FileType, Visibility } from '#contract/revelations.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Call, isText, type Seen } from './calls.ts'
import type { Pair, WorldName } from './secrets.ts'
import type { Caller } from './trace.ts'
import type { Role, StockFile, StockName, World, Worlds } from './worlds.ts'

/** A difference that an observer can see, or a change that another person than the author could cause. */
export class Difference extends Error {
  override name = 'Difference'
}

/** The fields its author must read, after all that others tried. */
export interface Truth {
  title: string
  content: string
  visibility: Visibility
  reveal_date: string
  target_email: string
}

export interface SentFile {
  by: Role
  kind: FileType
  sent: Pair<StockFile>
}

export interface Item {
  by: Role
  opens: 'soon' | 'far'
  ids: Pair<string>
  /** The `Idempotency-Key` with which it was sealed. */
  key: string
  deliveries: Pair<{ id: string; key: string }>
  truth: Pair<Truth>
  file: SentFile | undefined
  /** What follows it in an album: in one world alone. */
  others: readonly SentFile[]
  /** The voice that plays as its seal breaks. */
  voice: SentFile | undefined
  isGone: boolean
}

/** The state of one trace, in both worlds. */
export interface Story {
  worlds: Worlds
  forms: Pair<NormalForm>
  items: Item[]
  files: SentFile[]
  usedStock: Set<StockName>
  /** A counter for unique titles and instants. */
  count: number
  /** Requests of which both answers were compared. */
  compared: number
  /** `METHOD path` of each request that was not the author's. */
  requested: Set<string>
}

export type Credentials = { by: Caller; item?: Item | undefined }

export function pathOf(item: Item, world: WorldName): string {
  return `/api/revelations/${item.ids[world]}`
}

/** Calls for the author alone must be refused, whatever the other world answers. */
export function requireRefusal(what: string, { status }: Seen): void {
  if (status < 400) throw new Difference(`${what} was accepted (${status})`)
}

export function newStory(worlds: Worlds): Story {
  return {
    worlds,
    forms: { A: createNormalForm(), B: createNormalForm() },
    items: [],
    files: [],
    usedStock: new Set(),
    count: 0,
    compared: 0,
    requested: new Set(),
  }
}

export async function inBoth<T>(
  { worlds }: Pick<Story, 'worlds'>,
  work: (world: World) => Promise<T> | T,
): Promise<Pair<T>> {
  const [A, B] = await Promise.all([work(worlds.A), work(worlds.B)])
  return { A, B }
}

/** Sends the same request in both worlds, without comparing the answers. */
export function sendBoth(
  story: Story,
  { by, item }: Credentials,
  call: (world: World) => Call,
): Promise<Pair<Seen>> {
  return inBoth(story, (world) => {
    const request = call(world)
    if (by === 'visitor') return world.send(request)
    if (by !== 'bearer') return world.send({ token: world.people[by].token, ...request })
    const key = (item ?? story.items[0])?.deliveries[world.name].key ?? ''
    const headers = { ...request.headers, [DELIVERY_KEY_HEADER]: key }
    return world.send({ ...request, headers })
  })
}

/** Sends the same request in both worlds; a caller who is not the author must get equal answers. */
export async function compareBoth(
  story: Story,
  credentials: Credentials,
  call: (world: World) => Call,
): Promise<Pair<Seen>> {
  const seen = await sendBoth(story, credentials, call)
  compareAnswers(story, credentials.by, call(story.worlds.A), seen)
  return seen
}

export function compareAnswers(story: Story, by: Caller, call: Call, seen: Pair<Seen>): void {
  const what = `${call.method} ${call.path} by ${by}`
  story.compared += 1
  if (by === 'author') {
    if (seen.A.status !== seen.B.status) {
      throw new Difference(`${what}: ${seen.A.status} in A, ${seen.B.status} in B`)
    }
    return
  }
  story.requested.add(`${call.method} ${call.path.split('?')[0]}`)
  requireSame(what, story.forms.A.of(textOf(seen.A)), story.forms.B.of(textOf(seen.B)))
}

/** Mails and log lines since the last comparison must be equal in both worlds, in any order. */
export function compareTraces(story: Story, step: string): void {
  compareLines(story, `mails after ${step}`, ({ server }) =>
    server.mailbox.all.splice(0).map((mail) => JSON.stringify(mail)),
  )
  compareLines(story, `log after ${step}`, ({ log }) => log.splice(0).map(logText))
}

function compareLines(story: Story, what: string, linesOf: (world: World) => string[]): void {
  const { worlds, forms } = story
  const text = (world: World) =>
    linesOf(world)
      .map((line) => ({ line, order: withoutChance(line) }))
      .sort((one, other) => (one.order < other.order ? -1 : 1))
      .map(({ line }) => forms[world.name].of(line))
      .join('\n')
  requireSame(what, text(worlds.A), text(worlds.B))
}

function requireSame(what: string, a: string, b: string): void {
  if (a === b) return
  let at = 0
  while (a[at] === b[at]) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 120)
  throw new Difference(`${what}\n  A: …${around(a)}…\n  B: …${around(b)}…`)
}

const OPAQUE = new RegExp(
  [
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    // Commitments and the like.
    '(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])',
    // How one begins, as its page shows it.
    '(?<=<code class="text-ink [^"]*">)[0-9a-f]{12}(?=<)',
    // Roots, hashes of leaves and signatures of the log, and its key.
    '(?:(?<=\\\\n)|(?<![\\w+/]))[A-Za-z0-9+/]{43}=(?!=)',
    '(?<![\\w+/])[A-Za-z0-9+/]{91}=(?!=)',
    '\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]{44}',
    // Where stored bytes are.
    'media/[0-9a-f]{2}/[0-9a-f]{32}',
    '(?<=/)[0-9a-f]{32}(?=\\.webp)',
    '(?<=^etag: )"[\\w-]{22}"$',
    // Sealed links in the footers of mails.
    '(?<=(?:token|jeton)=)[\\w-]{60,}',
    // Session tokens, personal keys, signatures of tickets.
    '(?<![\\w-])[\\w-]{43}(?![\\w-])',
  ].join('|'),
  'gm',
)
const TICKET = /(?<=token=)[\w-]+(?=\.[\w-]{43})/g
const CURSOR = /(?<="next_cursor":")[\w-]+/g

/** Names random values by order of first appearance: « the third id ». */
export interface NormalForm {
  of(text: string): string
  /** The values masked so far. */
  masked(): string[]
}

function createNormalForm(): NormalForm {
  const names = new Map<string, string>()
  function nameOf(opaque: string): string {
    const name = names.get(opaque) ?? `‹${names.size + 1}›`
    names.set(opaque, name)
    return name
  }
  return {
    // The content of a ticket or a cursor is compared too: only its ids and its signature are random.
    of: (text) => text.replace(TICKET, decode).replace(CURSOR, decode).replace(OPAQUE, nameOf),
    masked: () => [...names.keys()],
  }
}

function decode(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString()
}

/** The text without random values, to sort lines that have no promised order. */
function withoutChance(text: string): string {
  return text.replace(OPAQUE, '‹›')
}

/** An answer as text: status, headers but the date of the wall clock, and the body or its hash. */
function textOf(seen: Seen): string {
  const headers = Object.entries(seen.headers)
    .filter(([name]) => name !== 'date')
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
  return [`HTTP ${seen.status}`, ...headers, '', bodyOf(seen)].join('\n')
}

function bodyOf(seen: Seen): string {
  // Lines of a calendar are folded wherever an id happens to stand.
  if (isText(seen)) return seen.bytes.toString().replaceAll('\r\n ', '')
  return isZip(seen) ? filesIn(seen.bytes) : fingerprint(seen.bytes)
}

function isZip({ headers }: Seen): boolean {
  return headers['content-type'] === 'application/zip'
}

/** Its files one by one: text files contain ids. */
function filesIn(bytes: Buffer): string {
  return [...readZip(bytes)]
    .map(([path, content]) => {
      const isText = /(\.json|\.html|\.txt|SHA256SUMS)$/.test(path)
      return `${path}: ${isText ? content.toString() : fingerprint(content)}`
    })
    .join('\n')
}

/** Too short to match an opaque value, which would be masked. */
function fingerprint(bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('hex')
  return `${bytes.length} bytes, ${hash.slice(0, 32)}`
}

/** A line of the log without the fields of the wall clock and the machine. */
function logText(line: string): string {
  const { time, pid, hostname, reqId, ms, ...facts } = JSON.parse(line)
  return JSON.stringify(facts)
}
