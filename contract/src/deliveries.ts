import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema } from './text.ts'

export const notifyRevelation = defineEndpoint({
  method: 'POST',
  url: '/api/email/notify-revelation',
  schema: {
    summary: 'Tell the addressee now that something waits for them; once per revelation',
    tags: ['deliveries'],
    body: z.object({ revelationId: idSchema }),
    response: { 200: z.object({ queued: z.boolean() }) },
  },
})
