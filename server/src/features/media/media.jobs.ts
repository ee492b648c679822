import { z } from 'zod'
import { defineJob } from '#server/platform/jobs/jobs.ts'

const stepPayload = z.object({ stepId: z.uuid() })

/** What people wait for: teaser, pictures, sound, in the order of `priorityOf`. */
export const prepareMedia = defineJob('prepare-media', stepPayload, {
  concurrency: 2,
  expireInSeconds: 3_600,
})

/** The whole video for small screens: long, so it has a place of its own and never stands before the others. */
export const compressVideo = defineJob('compress-video', stepPayload, {
  expireInSeconds: 7 * 3_600,
})

/** The bytes of rows that are gone. */
export const deleteMediaFiles = defineJob(
  'delete-media-files',
  z.object({ storageKeys: z.array(z.string()).min(1) }),
)
