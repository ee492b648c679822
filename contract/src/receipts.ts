import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { anyProofSchema } from './proofs/proof.ts'
import { idSchema } from './text.ts'

const tags = ['revelations'] as const
const byId = z.object({ id: idSchema })

/** The name that a receipt is saved and mailed under. */
export function receiptName(id: string): string {
  return `recu-${id}.json`
}

export const getReceipt = defineEndpoint({
  method: 'GET',
  url: '/api/revelations/:id/receipt',
  scope: 'read',
  schema: {
    summary:
      'The proof of my last version as it was sealed, for the first checkpoint that covers it; 409 until there is one',
    tags,
    params: byId,
    response: { 200: anyProofSchema },
  },
})

export const mailReceipt = defineEndpoint({
  method: 'POST',
  url: '/api/revelations/:id/receipt/mail',
  schema: {
    summary:
      'Mail me the receipt, without the letter; not queued while one that was asked for waits to leave',
    tags,
    params: byId,
    response: { 200: z.object({ queued: z.boolean() }) },
  },
})
