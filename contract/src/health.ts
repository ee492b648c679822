import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'

export const getHealth = defineEndpoint({
  method: 'GET',
  url: '/api/health',
  scope: 'read',
  schema: {
    summary: 'Whether database, storage and migrations are ready',
    tags: ['health'],
    response: {
      200: z.object({
        status: z.literal('ok'),
        /** `low`: uploads, exports and new letters are refused with `disk_full` until there is room. */
        disk: z.enum(['ok', 'low']),
      }),
    },
  },
})
