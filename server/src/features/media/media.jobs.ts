import { z } from 'zod'
import { defineJob } from '#server/platform/jobs/jobs.ts'

const stepPayload = z.object({ stepId: z.uuid() })

/** Teaser, pictures and audio: what people wait for, in the order of `priorityOf`. */
export const prepareMedia = defineJob('prepare-media', stepPayload, {
  concurrency: 2,
  expireInSeconds: 3_600,
})

/** The whole film for small screens. Its queue is its own, so that these long runs never stand before the others. */
export const compressVideo = defineJob('compress-video', stepPayload, {
  expireInSeconds: 7 * 3_600,
})

/** Deletes stored objects whose rows are deleted. */
export const deleteMediaFiles = defineJob(
  'delete-media-files',
  z.object({ storageKeys: z.array(z.string()).min(1) }),
)
