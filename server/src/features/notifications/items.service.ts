import { z } from 'zod'
import { notificationIdSchema, UNREAD_MAX } from '#contract/notifications.ts'
import { LIST_DEFAULT_LIMIT } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { cursorInstant, formatCursor, parseCursor } from '#server/cursors.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { canViewMany, type ViewerAccount } from '#server/features/access/viewers.service.ts'
import { listSelfAndHidden } from '#server/features/relationships/relationships.service.ts'
import { publishNotificationsChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  type Crowd,
  findItemRow,
  listCrowds,
  listItemRows,
  listPeople,
  type PersonRow,
  type Place,
  type Reading,
  setItemsRead,
} from './items.repository.ts'
import { type ItemRow, isStillVisible } from './items.rules.ts'

/** A notification as its account may see it now. */
export interface Item {
  row: ItemRow
  /** Of its revelation, if it is about one. */
  envelope: EnvelopeRow | undefined
  /** Whether that one is the account’s own. */
  isOwn: boolean
  /** The latest person of it. */
  actor: PersonRow | undefined
  people: number
}

/** A row that the gate lets through. */
type VisibleItem = Pick<Item, 'row' | 'envelope'>

export interface ItemPage {
  items: Item[]
  nextCursor: string | null
  unread: number
}

/** Rows that the gate hides are skipped, so many pages at most: the next call goes on from there. */
const PAGES_MAX = 10
const SKIP_PAGE_SIZE = 200

/** One page, the latest first, with how many are unread in all. */
export async function listItems(
  ctx: AppContext,
  account: ViewerAccount,
  page: { cursor?: string | undefined; limit?: number | undefined },
): Promise<ItemPage> {
  const limit = page.limit ?? LIST_DEFAULT_LIMIT
  const after = page.cursor === undefined ? undefined : parseItemCursor(page.cursor)
  const without = await listSelfAndHidden(ctx, account.userId)
  const [found, unread] = await Promise.all([
    gather(ctx, account, without, { after, limit, isUnread: false }),
    countIn(ctx, account, without),
  ])
  return {
    items: await complete(ctx, account, without, found.visible),
    nextCursor: found.next,
    unread,
  }
}

/** How many are unread, at most `UNREAD_MAX`. */
export async function countUnread(ctx: AppContext, account: ViewerAccount): Promise<number> {
  return countIn(ctx, account, await listSelfAndHidden(ctx, account.userId))
}

async function countIn(
  ctx: AppContext,
  account: ViewerAccount,
  without: readonly string[],
): Promise<number> {
  const wanted = { after: undefined, limit: UNREAD_MAX, isUnread: true }
  return (await gather(ctx, account, without, wanted)).visible.length
}

/**
 * As many as are wanted of those that the gate lets through, and the place where the next ones begin: only one that is visible
 * says that there are more, as if what is hidden were not there.
 */
async function gather(
  ctx: AppContext,
  account: ViewerAccount,
  without: readonly string[],
  wanted: { after: Place | undefined; limit: number; isUnread: boolean },
): Promise<{ visible: VisibleItem[]; next: string | null }> {
  const { limit, isUnread } = wanted
  const visible: VisibleItem[] = []
  let { after } = wanted
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = { after, limit: pages === 0 ? limit + 1 : SKIP_PAGE_SIZE, isUnread }
    const rows = await listItemRows(ctx.db, { userId: account.userId, without }, page)
    const passed = await passGate(ctx, account, rows)
    visible.push(...rows.flatMap(({ id }) => passed.get(id) ?? []))
    if (visible.length > limit) {
      const shown = visible.slice(0, limit)
      return { visible: shown, next: cursorOf(shown.at(-1)?.row) }
    }
    if (rows.length < page.limit) return { visible, next: null }
    after = rows.at(-1)
  }
  return { visible, next: cursorOf(after) }
}

async function passGate(
  ctx: AppContext,
  account: ViewerAccount,
  rows: readonly ItemRow[],
): Promise<Map<string, VisibleItem>> {
  const ids = new Set(rows.flatMap(({ revelationId }) => revelationId ?? []))
  const findVisible = await canViewMany(ctx, [account], [...ids])
  const now = ctx.now()
  const passed = new Map<string, VisibleItem>()
  for (const row of rows) {
    const envelope = row.revelationId === null ? undefined : findVisible(account, row.revelationId)
    if (isStillVisible(account, row, envelope, now)) passed.set(row.id, { row, envelope })
  }
  return passed
}

/** With the people they are about. */
async function complete(
  ctx: AppContext,
  account: ViewerAccount,
  without: readonly string[],
  visible: readonly VisibleItem[],
): Promise<Item[]> {
  const ids = visible.flatMap(({ row }) => (isOfCrowd(row) ? row.id : []))
  const crowds = new Map<string, Crowd>()
  for (const crowd of await listCrowds(ctx.db, { without, ids })) {
    crowds.set(crowd.notificationId, crowd)
  }
  const personOf = ({ row, envelope }: VisibleItem) => {
    if (isOfCrowd(row)) return crowds.get(row.id)?.latestId
    const isOfOther = envelope && envelope.authorId !== account.userId
    return isOfOther && row.kind !== 'moderation' ? envelope.authorId : row.personId
  }
  const personIds = new Set(visible.flatMap((one) => personOf(one) ?? []))
  const people = await listPeople(ctx.db, [...personIds])
  return visible.map((one) => {
    const personId = personOf(one)
    return {
      ...one,
      isOwn: one.envelope?.authorId === account.userId,
      actor: people.find(({ id }) => id === personId),
      people: crowds.get(one.row.id)?.people ?? 1,
    }
  })
}

/** Whether many people may be grouped in it. */
function isOfCrowd({ kind }: ItemRow): boolean {
  return kind === 'comment' || kind === 'reaction'
}

/** One of an account’s own, if the gate still lets it through. */
export async function findItem(
  ctx: AppContext,
  account: ViewerAccount,
  id: string,
): Promise<Item | undefined> {
  const without = await listSelfAndHidden(ctx, account.userId)
  const row = await findItemRow(ctx.db, { userId: account.userId, without }, id)
  const visible = row && (await passGate(ctx, account, [row])).get(id)
  return visible && (await complete(ctx, account, without, [visible]))[0]
}

/** Remembers that the account saw these, on each of its pages; returns how many are left. */
export async function readItems(
  ctx: AppContext,
  account: ViewerAccount,
  reading: Reading,
): Promise<number> {
  await setItemsRead(ctx.db, account.userId, reading, ctx.now())
  // Whatever was unread: the event would tell something hidden from something missing.
  publishNotificationsChanged(ctx, [account.userId])
  return countUnread(ctx, account)
}

const cursorSchema = z.tuple([cursorInstant, notificationIdSchema])

function cursorOf(place: Place | undefined): string | null {
  return place ? formatCursor([place.createdAt, place.id]) : null
}

function parseItemCursor(cursor: string): Place {
  const [createdAt, id] = parseCursor(cursor, cursorSchema)
  return { createdAt, id }
}
