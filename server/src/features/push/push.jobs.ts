import { z } from 'zod'
import { defineJob } from '#server/platform/jobs/jobs.ts'

/** Finds the browsers to tell of what opened: one job for as many revelations as opened together. */
export const tellBrowsers = defineJob(
  'tell-browsers-of-reveals',
  z.object({ revelationIds: z.array(z.uuid()) }),
)

/** One message to one browser. When to stop trying is written with it, not in the queue. */
export const sendPushJob = defineJob('send-push', z.object({ pushId: z.uuid() }), {
  concurrency: 10,
  expireInSeconds: 60,
  retryLimit: 1_000,
  retryDelaySeconds: 5,
})
