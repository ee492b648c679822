import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { idSchema } from '../text.ts'
import { anyProofSchema } from './proof.ts'

const tags = ['proofs'] as const
const MAX_DIGITS = 15

/** In the query they are text. */
const wholeNumber = z.pipe(
  z.string().check(z.regex(new RegExp(`^(?:0|[1-9]\\d{0,${MAX_DIGITS - 1}})$`), 'Nombre attendu')),
  z.transform(Number),
)

export const getLogKey = defineEndpoint({
  method: 'GET',
  url: '/api/proofs/key',
  scope: 'read',
  schema: {
    summary: 'The key of the log, as C2SP writes it',
    tags,
    response: { 200: z.string() },
  },
})

export const getLogKeys = defineEndpoint({
  method: 'GET',
  url: '/api/proofs/keys',
  scope: 'read',
  schema: {
    summary:
      'The log as its verifiers know it: its name, its key, and what its keys say of those before them',
    tags,
    response: {
      200: z.object({
        origin: z.string(),
        key: z.string(),
        /** Signed by the key and by the last before it; null while there was no other. */
        statement: z.nullable(z.string()),
        /** Those of all its keys, this one last: who knows any of them is led here. */
        statements: z.array(z.string()),
      }),
    },
  },
})

export const getCheckpoint = defineEndpoint({
  method: 'GET',
  url: '/api/proofs/checkpoint',
  scope: 'read',
  schema: {
    summary: 'The last signed checkpoint of the log',
    tags,
    response: { 200: z.string() },
  },
})

export const getInclusion = defineEndpoint({
  method: 'GET',
  url: '/api/proofs/inclusion',
  scope: 'read',
  schema: {
    summary: 'That a leaf is in the log of a size',
    tags,
    querystring: z.object({ leaf: wholeNumber, size: wholeNumber }),
    response: {
      200: z.object({
        leaf: z.number(),
        size: z.number(),
        leaf_hash: z.string(),
        hashes: z.array(z.string()),
      }),
    },
  },
})

export const getConsistency = defineEndpoint({
  method: 'GET',
  url: '/api/proofs/consistency',
  scope: 'read',
  schema: {
    summary: 'That the log of one size is the beginning of the log of another',
    tags,
    querystring: z.object({ from: wholeNumber, to: wholeNumber }),
    response: {
      200: z.object({ from: z.number(), to: z.number(), hashes: z.array(z.string()) }),
    },
  },
})

/** The last part of the address is a path of its own: `x001/234.p/5`. */
export const getTile = {
  schema: {
    summary: 'The hashes of a tile of the log, 32 bytes each',
    tags,
    params: z.object({ level: z.string(), '*': z.string() }),
  },
}

export const getProof = defineEndpoint({
  method: 'GET',
  url: '/api/revelations/:id/proof',
  scope: 'read',
  schema: {
    summary: 'What was sealed of a revelation and when, and what opens it once it may be read',
    tags: ['revelations'],
    params: z.object({ id: idSchema }),
    response: { 200: anyProofSchema },
  },
})
