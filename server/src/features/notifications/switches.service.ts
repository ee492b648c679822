import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationSwitches,
  PUSHED_AT_FIRST,
} from '#contract/notifications.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { publishNotificationsChanged } from '#server/platform/pubsub/pubsub.ts'
import { listSwitches, unlistKinds, upsertSwitches } from './switches.repository.ts'

type Choice = { [kind in NotificationKind]?: boolean | undefined } | undefined

/** Which kinds show on the page of an account, and which reach its browsers. */
export async function getSwitches(ctx: AppContext, userId: string): Promise<NotificationSwitches> {
  const chosen = new Map((await listSwitches(ctx.db, userId)).map((row) => [row.kind, row]))
  const switches = (name: 'page' | 'push', isOn: (kind: NotificationKind) => boolean) =>
    Object.fromEntries(
      NOTIFICATION_KINDS.map((kind) => [kind, chosen.get(kind)?.[name] ?? isOn(kind)]),
    ) as NotificationSwitches['page']
  return {
    page: switches('page', () => true),
    push: switches('push', (kind) => PUSHED_AT_FIRST.includes(kind)),
  }
}

/** Changes the given switches. What was on the page leaves it with its kind; what happens while a kind is off never shows. */
export async function saveSwitches(
  ctx: AppContext,
  { userId }: Actor,
  { page, push }: { page?: Choice; push?: Choice },
): Promise<NotificationSwitches> {
  const choices = NOTIFICATION_KINDS.map((kind) => ({
    kind,
    page: page?.[kind] ?? null,
    push: push?.[kind] ?? null,
  })).filter((choice) => choice.page !== null || choice.push !== null)
  const off = choices.filter((choice) => choice.page === false).map(({ kind }) => kind)
  return inTransaction(ctx, async (tx) => {
    await upsertSwitches(tx.db, userId, choices)
    if (off.length > 0) {
      await unlistKinds(tx.db, userId, off, tx.now())
      publishNotificationsChanged(tx, [userId])
    }
    return getSwitches(tx, userId)
  })
}
