import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import type { FileType, Visibility } from '#contract/revelations.ts'
import { createNormalForm, logText, type NormalForm, textOf, withoutChance } from './normal-form.ts'
import type { Asked, Seen } from './requests.ts'
import type { Pair, WorldName } from './secrets.ts'
import type { Asker } from './trace.ts'
import type { Role, StockFile, StockName, World, Worlds } from './worlds.ts'

/** What an observer can tell the two worlds apart by, or what somebody else than the author could change. */
export class Difference extends Error {
  override name = 'Difference'
}

/** What its author must read in it, whatever others tried. */
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
  deliveries: Pair<{ id: string; key: string }>
  truth: Pair<Truth>
  file: SentFile | undefined
  isGone: boolean
}

/** What happened so far in one trace, in both worlds. */
export interface Story {
  worlds: Worlds
  forms: Pair<NormalForm>
  items: Item[]
  files: SentFile[]
  usedStock: Set<StockName>
  /** Counts what must be unlike anything before: titles, instants. */
  count: number
  /** Requests of which both answers were compared. */
  compared: number
  /** `METHOD path` of each request that was not the author's. */
  asked: Set<string>
}

export type Credentials = { by: Asker; item?: Item | undefined }

export function pathOf(item: Item, world: WorldName): string {
  return `/api/revelations/${item.ids[world]}`
}

/** For what only the author may do: a difference of its own, whatever the other world answers. */
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
    asked: new Set(),
  }
}

export async function inBoth<T>(
  { worlds }: Pick<Story, 'worlds'>,
  work: (world: World) => Promise<T> | T,
): Promise<Pair<T>> {
  const [A, B] = await Promise.all([work(worlds.A), work(worlds.B)])
  return { A, B }
}

/** The same request in both worlds, without a look at the answers. */
export function sendBoth(
  story: Story,
  { by, item }: Credentials,
  asked: (world: World) => Asked,
): Promise<Pair<Seen>> {
  return inBoth(story, (world) => {
    const request = asked(world)
    if (by === 'visitor') return world.send(request)
    if (by !== 'bearer') return world.send({ token: world.people[by].token, ...request })
    const key = (item ?? story.items[0])?.deliveries[world.name].key ?? ''
    const headers = { ...request.headers, [DELIVERY_KEY_HEADER]: key }
    return world.send({ ...request, headers })
  })
}

/** The same request in both worlds; whoever is not the author must get the same answer. */
export async function askBoth(
  story: Story,
  credentials: Credentials,
  asked: (world: World) => Asked,
): Promise<Pair<Seen>> {
  const seen = await sendBoth(story, credentials, asked)
  compareAnswers(story, credentials.by, asked(story.worlds.A), seen)
  return seen
}

export function compareAnswers(story: Story, by: Asker, asked: Asked, seen: Pair<Seen>): void {
  const what = `${asked.method} ${asked.path} by ${by}`
  story.compared += 1
  if (by === 'author') {
    if (seen.A.status !== seen.B.status) {
      throw new Difference(`${what}: ${seen.A.status} in A, ${seen.B.status} in B`)
    }
    return
  }
  story.asked.add(`${asked.method} ${asked.path.split('?')[0]}`)
  requireSame(what, story.forms.A.of(textOf(seen.A)), story.forms.B.of(textOf(seen.B)))
}

/** Mails and log lines since the last look: the same in both worlds, in whatever order they left. */
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
