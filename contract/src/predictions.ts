import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema, instantSchema, renameAliases, typedText } from './text.ts'

/** What became of a prediction: réalisée, en partie, ratée, indécidable. */
export const OUTCOMES = ['fulfilled', 'partly', 'failed', 'undecidable'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Of a list of predictions: one outcome, or those whose author declared none. */
export const OUTCOME_FILTERS = [...OUTCOMES, 'none'] as const
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number]

export const SOURCE_MAX_LENGTH = 500
const INVALID_SOURCE = 'La source est une adresse complète qui commence par https://'

const outcomeSchema = z.enum(OUTCOMES, 'Choisissez une issue')

/** An address that is the same to everybody: https, a public name, nobody's password in it. */
function isSourceAddress(text: string): boolean {
  if (text === '') return true
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  return url.port === '' && url.href.length <= 4 * SOURCE_MAX_LENGTH && isPublicName(url.hostname)
}

/** Neither a number nor a name of somebody's own network; in ASCII, so that no letter passes for another. */
function isPublicName(hostname: string): boolean {
  return (
    /^(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(hostname) &&
    !/\.(?:local|localhost|internal|home|lan|arpa|onion)$/.test(hostname)
  )
}

const sourceSchema = typedText({
  max: { length: SOURCE_MAX_LENGTH, message: 'La source ne peut pas dépasser 500 caractères' },
}).check(z.refine(isSourceAddress, INVALID_SOURCE))

export const declarationSchema = z.object({
  outcome: outcomeSchema,
  /** Where anybody can check it; empty for none. */
  source_url: z.optional(sourceSchema),
})
export type Declaration = z.infer<typeof declarationSchema>

/** Renames the `source` that some clients send. */
export function normalizeDeclaration(body: unknown): unknown {
  return renameAliases(body, { source: 'source_url' })
}

export const votesSchema = z.object({
  fulfilled: z.number(),
  partly: z.number(),
  failed: z.number(),
  undecidable: z.number(),
})
export type Votes = z.infer<typeof votesSchema>

/** What became of a public prediction once it is revealed, by its author and by its readers. */
export const predictionSchema = z.object({
  declared: z.nullable(
    z.object({
      outcome: outcomeSchema,
      source_url: z.nullable(z.string()),
      declared_at: instantSchema,
      /** When it was last changed, and the outcome it had before that was another; null as long as it never was. */
      changed_at: z.nullable(instantSchema),
      former_outcome: z.nullable(outcomeSchema),
    }),
  ),
  votes: votesSchema,
  my_vote: z.nullable(outcomeSchema),
  /** In the record of its author: sealed as a public prediction, before its instant. */
  counts: z.boolean(),
})
export type Prediction = z.infer<typeof predictionSchema>

/** What became of an author's revelations that were public from their sealing on and waited for their instant. */
export const recordSchema = z.object({
  /** revealed + waiting + withdrawn */
  sealed: z.number(),
  revealed: z.number(),
  withdrawn: z.number(),
  /** Of those revealed: by what was declared, not declared yet, and no longer a prediction that everybody sees. */
  outcomes: votesSchema,
  undeclared: z.number(),
  narrowed: z.number(),
  /** Beside them: edited while the log could not say since when they were public. */
  unattested: z.number(),
})
export type PublicRecord = z.infer<typeof recordSchema>

const byId = z.object({ id: idSchema })
const tags = ['predictions'] as const
const onePrediction = z.object({ prediction: predictionSchema })

export const declareOutcome = defineEndpoint({
  method: 'PUT',
  url: '/api/revelations/:id/outcome',
  scope: 'write',
  schema: {
    summary: 'Say what became of my prediction, or say it otherwise; dated, once it is revealed',
    tags,
    params: byId,
    body: declarationSchema,
    response: { 200: onePrediction },
  },
})

export const castVote = defineEndpoint({
  method: 'PUT',
  url: '/api/revelations/:id/vote',
  scope: 'write',
  schema: {
    summary: 'Vote on what became of somebody’s prediction, or vote otherwise',
    tags,
    params: byId,
    body: z.object({ outcome: outcomeSchema }),
    response: { 200: onePrediction },
  },
})

export const withdrawVote = defineEndpoint({
  method: 'DELETE',
  url: '/api/revelations/:id/vote',
  scope: 'write',
  schema: {
    summary: 'Take my vote back',
    tags,
    params: byId,
    response: { 200: onePrediction },
  },
})
