import type { AppContext } from '#server/context.ts'
import { type Handler, handleJob } from '#server/platform/jobs/jobs.ts'
import type { Schedule } from '#server/platform/jobs/schedules.ts'
import {
  deleteOldPushes,
  enqueueDuePushes,
  sendPushJob,
  sendQueuedPush,
} from './push-sending.service.ts'

export const pushHandlers: readonly Handler<AppContext>[] = [
  handleJob(sendPushJob, (ctx, { pushId }) => sendQueuedPush(ctx, pushId)),
]

export const pushSchedules: readonly Schedule<AppContext>[] = [
  { name: 'queue-due-pushes', everyMs: 1_000, run: enqueueDuePushes },
  { name: 'forget-old-pushes', everyMs: 60 * 60_000, run: deleteOldPushes },
]
