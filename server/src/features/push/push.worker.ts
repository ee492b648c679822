import type { AppContext } from '#server/context.ts'
import { type Handler, handleJob } from '#server/platform/jobs/jobs.ts'
import { sendPushJob, tellBrowsers } from './push.jobs.ts'
import { queueRevealPushes, sendQueuedPush } from './push-sending.service.ts'

export const pushHandlers: readonly Handler<AppContext>[] = [
  handleJob(tellBrowsers, (ctx, { revelationIds }) => queueRevealPushes(ctx, revelationIds)),
  handleJob(sendPushJob, (ctx, { pushId }) => sendQueuedPush(ctx, pushId)),
]
