import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema } from './text.ts'

const tags = ['exports'] as const

/** From the call that creates the address: a browser that saves a file sends no header. */
const linkToken = z.optional(z.string().check(z.maxLength(2_000)))

export const exportAccount = defineEndpoint({
  method: 'GET',
  url: '/api/auth/export',
  schema: {
    summary:
      'Everything of mine: as JSON, or as a ZIP with every file, a readable page and SHA-256 sums',
    tags,
    querystring: z.object({
      format: z.optional(z.enum(['json', 'zip'], 'Ce format n’existe pas')),
      token: linkToken,
    }),
    response: { 200: z.any() },
  },
})

export const createExportLink = defineEndpoint({
  method: 'POST',
  url: '/api/auth/export',
  schema: {
    summary: 'An address that downloads the ZIP for ten minutes, as long as this session lives',
    tags,
    response: { 200: z.object({ url: z.string() }) },
  },
})

export const downloadLetter = defineEndpoint({
  method: 'GET',
  url: '/api/revelations/:id/archive',
  schema: {
    summary:
      'A revealed letter as a ZIP, for whoever may read it: text, page, files, proof and SHA-256 sums',
    tags,
    params: z.object({ id: idSchema }),
    querystring: z.object({ token: linkToken }),
    response: { 200: z.any() },
  },
})

export const createLetterLink = defineEndpoint({
  method: 'POST',
  url: '/api/revelations/:id/archive',
  schema: {
    summary:
      'An address that downloads this ZIP for ten minutes, as long as its reader may read the letter',
    tags,
    params: z.object({ id: idSchema }),
    response: { 200: z.object({ url: z.string() }) },
  },
})

/** « revelations-pseudo-2026-11-20 »: a pseudo is safe in a name. */
export function exportName(pseudo: string, now: Date): string {
  return `revelations-${pseudo}-${now.toISOString().slice(0, 10)}`
}
