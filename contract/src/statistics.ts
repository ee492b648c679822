import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { timeZoneSchema } from './sealing.ts'
import { instantSchema } from './text.ts'

/* What became of an author's own letters (behaviour.md 11.4), on the plans with `statistics`. */

export const PERIODS = ['12-months', 'this-year', 'all'] as const
export type Period = (typeof PERIODS)[number]

/** The kinds of figures: each is a sum of what the author sees one by one on the pages of their letters. */
export const MEASURES = ['views', 'openings', 'replies', 'comments', 'reactions'] as const
export type Measure = (typeof MEASURES)[number]

export const LETTERS_MAX_LIMIT = 500
export const LETTER_SORTS = ['title', 'date', 'views', 'openings', 'responses'] as const
export type LetterSort = (typeof LETTER_SORTS)[number]
export const LETTER_ORDERS = ['asc', 'desc'] as const
export type LetterOrder = (typeof LETTER_ORDERS)[number]

const figures = {
  views: z.number(),
  /** Those that the journal of a delivery says, and no other. */
  openings: z.number(),
  replies: z.number(),
  /** Other people's, as the next. */
  comments: z.number(),
  reactions: z.number(),
}
const figuresSchema = z.object(figures)
export type Figures = z.infer<typeof figuresSchema>

/** Replies, comments and reactions together. */
export function responsesOf({ replies, comments, reactions }: Figures): number {
  return replies + comments + reactions
}

export const statisticsSchema = z.object({
  /** How many letters the author has. */
  letters: z.number(),
  /** The oldest first, the last one this month in the zone asked for. */
  months: z.array(z.extend(figuresSchema, { month: z.string() })),
  totals: figuresSchema,
  /** Views that were counted before each had a day: of `totals` over all time, and of no month. */
  undated_views: z.number(),
  /** The first day that has views of its own; null without any. */
  views_dated_from: z.nullable(z.string()),
})
export type Statistics = z.infer<typeof statisticsSchema>

const letterStatisticsSchema = z.extend(figuresSchema, {
  id: z.string(),
  title: z.string(),
  reveal_date: instantSchema,
  time_zone: z.string(),
})
export type LetterStatistics = z.infer<typeof letterStatisticsSchema>

const query = {
  period: z.optional(z.enum(PERIODS, 'Cette période n’existe pas')),
  time_zone: z.optional(timeZoneSchema),
}

function countSchema(max: number, message: string) {
  return z.optional(
    z.coerce.number(message).check(z.int(message), z.gte(1, message), z.lte(max, message)),
  )
}

const tags = ['statistics'] as const

/** 403 `feature_of_plan` on other plans, as the next. */
export const getStatistics = defineEndpoint({
  method: 'GET',
  scope: 'read',
  url: '/api/statistics',
  schema: {
    summary: 'Views, told openings, replies, comments and reactions of my letters, by month',
    tags,
    querystring: z.object(query),
    response: { 200: statisticsSchema },
  },
})

/** Sorted by `responses`: what `responsesOf` counts. */
export const listLetterStatistics = defineEndpoint({
  method: 'GET',
  scope: 'read',
  url: '/api/statistics/letters',
  schema: {
    summary: 'The same figures by letter, sorted',
    tags,
    querystring: z.object({
      ...query,
      sort: z.optional(z.enum(LETTER_SORTS, 'Ce tri n’existe pas')),
      order: z.optional(z.enum(LETTER_ORDERS, 'Ce tri n’existe pas')),
      page: countSchema(100_000, 'Cette page n’existe pas'),
      limit: countSchema(LETTERS_MAX_LIMIT, 'La taille de page va de 1 à 500'),
    }),
    response: { 200: z.object({ letters: z.array(letterStatisticsSchema), total: z.number() }) },
  },
})
