import type { AppContext } from '#server/context.ts'
import { type Handler, handleJob } from '#server/platform/jobs/jobs.ts'
import {
  createRevealPushes,
  revealPushesJob,
  sendPushJob,
  sendQueuedPush,
} from './push-sending.service.ts'

export const pushHandlers: readonly Handler<AppContext>[] = [
  handleJob(revealPushesJob, (ctx, { revelationIds }) => createRevealPushes(ctx, revelationIds)),
  handleJob(sendPushJob, (ctx, { pushId }) => sendQueuedPush(ctx, pushId)),
]
