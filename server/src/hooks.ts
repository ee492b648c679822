import type { Hooks } from '#server/context.ts'
import { moveDeliveries, planDeliveries } from '#server/features/deliveries/deliveries.service.ts'
import {
  notifyRelated,
  notifyRequested,
  notifyRestored,
  notifyRevealed,
} from '#server/features/notifications/news.service.ts'
import {
  enqueueRestoredNotifications,
  enqueueRevealNotifications,
  enqueueSealedNotifications,
} from '#server/features/notifications/notifications.service.ts'
import { recordWithdrawal } from '#server/features/profiles/profiles.service.ts'
import { rescheduleReminders } from '#server/features/reminders/reminders.service.ts'
import { deleteRepliesOf } from '#server/features/replies/replies.service.ts'

/** All that hangs on what happens to a letter, or between two people, in the transaction in which it happens (docs/decisions/0046-the-gate-and-hooks.md). */
export const hooks: Hooks = {
  onSealed: [planDeliveries, enqueueSealedNotifications],
  onMoved: [moveDeliveries, rescheduleReminders],
  onRestored: [notifyRestored, enqueueRestoredNotifications],
  onDeleting: [deleteRepliesOf],
  onDeleted: [recordWithdrawal],
  onRevealed: [notifyRevealed, enqueueRevealNotifications],
  onRequested: [notifyRequested],
  onRelated: [notifyRelated],
}
