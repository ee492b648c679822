import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema } from './text.ts'

export const presenceSchema = z.object({
  /** How many other persons have the sealed page before them now. */
  waiting: z.number(),
  /** Those of them who may be named to this viewer, a few at most. */
  people: z.array(z.object({ id: z.string(), pseudo: z.string() })),
})
export type Presence = z.infer<typeof presenceSchema>

export const announcePresence = defineEndpoint({
  method: 'POST',
  url: '/api/revelations/:id/presence',
  schema: {
    summary:
      'A sealed page is before its reader: who waits with them. Sent again every 20 seconds; with `leaving: true`, no longer',
    tags: ['revelations'],
    params: z.object({ id: idSchema }),
    body: z.nullish(
      z.object({
        /** Chosen by a page for as long as it lasts: a person with two of them is counted once, until both have left. */
        page: z.optional(idSchema),
        leaving: z.optional(z.boolean('Choisissez oui ou non')),
      }),
    ),
    response: { 200: presenceSchema },
  },
})
