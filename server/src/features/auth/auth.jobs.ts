import { z } from 'zod'
import { defineJob } from '#server/platform/jobs/jobs.ts'

/** Whether a forgotten password is one of ours is found out here, where nobody sees how long it takes. */
export const answerPasswordRequest = defineJob(
  'answer-password-request',
  z.object({ requestId: z.uuid() }),
)
