import type { AppContext } from '#server/context.ts'
import { accountHandlers } from '#server/features/account/account.worker.ts'
import { sweepEndedLinks } from '#server/features/auth/account-links.service.ts'
import { accountMails, authHandlers } from '#server/features/auth/auth.worker.ts'
import { sweepOldTries } from '#server/features/auth/password-tries.service.ts'
import { backfillSkeletons } from '#server/features/auth/pseudos.service.ts'
import {
  deliveryMails,
  dueDeliveriesSchedule,
} from '#server/features/deliveries/deliveries.worker.ts'
import { followUpMails, followUpsSchedule } from '#server/features/deliveries/follow-ups.worker.ts'
import { deleteOldKeys } from '#server/features/idempotency/idempotency.service.ts'
import {
  deleteOldMailCounts,
  deleteOldRecipientUses,
} from '#server/features/mails/mail-limits.service.ts'
import { deleteOldMails, type MailTemplate } from '#server/features/mails/mails.service.ts'
import { mailHandler, postponedMailsSchedule } from '#server/features/mails/mails.worker.ts'
import { deletePastSlowDomains, grantTurns } from '#server/features/mails/slow-domains.service.ts'
import { mediaHandlers, mediaSchedules } from '#server/features/media/media.worker.ts'
import {
  notificationHandlers,
  notificationMails,
  notificationSchedules,
} from '#server/features/notifications/notifications.worker.ts'
import { deletePastReaders } from '#server/features/presence/presence.service.ts'
import { sweepOrphanAvatars } from '#server/features/profiles/avatars.service.ts'
import { growLogSchedule } from '#server/features/proofs/proofs.worker.ts'
import { pushHandlers, pushSchedules } from '#server/features/push/push.worker.ts'
import { dueRemindersSchedule, reminderMails } from '#server/features/reminders/reminders.worker.ts'
import { replyMails } from '#server/features/replies/replies.worker.ts'
import { reportMails } from '#server/features/reports/reports.worker.ts'
import { addUpCounts } from '#server/features/revelations/lists.service.ts'
import { forgetPublicChanges } from '#server/features/revelations/public-changes.service.ts'
import { receiptMails } from '#server/features/revelations/receipts.worker.ts'
import { deleteOldViews } from '#server/features/revelations/revelations.service.ts'
import { indexRevealedLetters } from '#server/features/revelations/search-index.service.ts'
import {
  dueVoiceMessagesSchedule,
  voiceMessageMails,
} from '#server/features/voice-messages/voice-messages.worker.ts'
import { deleteEndedCounts } from '#server/http/rate-counts.ts'
import type { Handler } from '#server/platform/jobs/jobs.ts'
import type { Schedule } from '#server/platform/jobs/schedules.ts'

const MINUTE_MS = 60_000

/** Every kind of mail. */
const mails: readonly MailTemplate[] = [
  ...accountMails,
  ...deliveryMails,
  ...followUpMails,
  ...notificationMails,
  ...reminderMails,
  ...replyMails,
  ...receiptMails,
  ...reportMails,
  ...voiceMessageMails,
]

/** Every job with the one handler that runs it. */
export const handlers: readonly Handler<AppContext>[] = [
  mailHandler(mails),
  ...authHandlers,
  ...accountHandlers,
  ...mediaHandlers,
  ...notificationHandlers,
  ...pushHandlers,
]

/** What the worker does by itself. */
export const schedules: readonly Schedule<AppContext>[] = [
  dueDeliveriesSchedule,
  followUpsSchedule,
  dueRemindersSchedule,
  dueVoiceMessagesSchedule,
  postponedMailsSchedule(mails),
  { name: 'grant-turns', everyMs: 250, idleEveryMs: 2_000, run: grantTurns },
  growLogSchedule,
  ...mediaSchedules,
  ...notificationSchedules,
  ...pushSchedules,
  { name: 'index-revealed-letters', everyMs: 5_000, run: withRoom(indexRevealedLetters) },
  { name: 'fill-pseudo-skeletons', everyMs: MINUTE_MS, run: backfillSkeletons },
  { name: 'add-up-counts', everyMs: 5_000, run: addUpCounts },
  { name: 'forget-public-changes', everyMs: 5 * MINUTE_MS, run: forgetPublicChanges },
  { name: 'sweep-orphan-avatars', everyMs: 60 * MINUTE_MS, run: sweepOrphanAvatars },
  { name: 'forget-ended-links', everyMs: 60 * MINUTE_MS, run: sweepEndedLinks },
  { name: 'forget-old-tries', everyMs: 15 * MINUTE_MS, run: sweepOldTries },
  { name: 'forget-old-addressee-uses', everyMs: 60 * MINUTE_MS, run: deleteOldRecipientUses },
  { name: 'forget-counted-mails', everyMs: 60 * MINUTE_MS, run: deleteOldMailCounts },
  { name: 'forget-slow-domains', everyMs: 60 * MINUTE_MS, run: deletePastSlowDomains },
  { name: 'forget-old-mails', everyMs: 60 * MINUTE_MS, run: deleteOldMails },
  { name: 'forget-ended-rate-counts', everyMs: 5 * MINUTE_MS, run: deleteEndedCounts },
  { name: 'forget-past-readers', everyMs: MINUTE_MS, run: deletePastReaders },
  { name: 'forget-old-keys', everyMs: 60 * MINUTE_MS, run: deleteOldKeys },
  { name: 'forget-old-views', everyMs: 60 * MINUTE_MS, run: deleteOldViews },
]

/** What writes much, and that nobody misses for a while, leaves the last of a disk to the rest. */
function withRoom(run: (ctx: AppContext) => Promise<unknown>): Schedule<AppContext>['run'] {
  return async (ctx) => {
    if (await ctx.disk.hasRoomForWork()) await run(ctx)
  }
}
