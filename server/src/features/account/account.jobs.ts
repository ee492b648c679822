import { z } from 'zod'
import { defineJob } from '#server/platform/jobs/jobs.ts'

/** The bytes and kept mails of an account that is gone. */
export const eraseRemains = defineJob(
  'erase-remains',
  z.object({ storageKeys: z.array(z.string()), mailIds: z.array(z.uuid()) }),
)
