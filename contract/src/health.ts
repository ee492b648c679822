import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'

export const getHealth = defineEndpoint({
  method: 'GET',
  url: '/api/health',
  schema: {
    summary: 'Whether database, storage and migrations are ready',
    tags: ['health'],
    response: { 200: z.object({ status: z.literal('ok') }) },
  },
})
