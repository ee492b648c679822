import { z } from 'zod'
import { defineJob } from '#server/platform/jobs/jobs.ts'

const revelationPayload = z.object({ revelationId: z.uuid() })

/** One job per revelation, however many there are to tell: it queues their mails a batch at a time. */
export const tellOfSealing = defineJob('tell-ties-of-sealing', revelationPayload)
export const tellOfReveal = defineJob('tell-ties-of-reveal', revelationPayload)
