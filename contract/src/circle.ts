import * as z from 'zod/mini'
import { daySchema } from './calendar.ts'
import { defineEndpoint } from './endpoint.ts'
import { timeZoneSchema } from './sealing.ts'
import { instantSchema } from './text.ts'

/** How many days of reveals may be asked for at once. */
export const REVEALS_MAX_DAYS = 800

export const ACHIEVEMENTS = [
  'first_revelation',
  'family_builder',
  'storyteller',
  'family_champion',
] as const
export type Achievement = (typeof ACHIEVEMENTS)[number]

export const SCORE_LABELS = ['Excellente', 'Bonne', 'Moyenne', 'À améliorer'] as const

/** Somebody of my family, with what they share with it that I may know of. */
export const circleMemberSchema = z.object({
  /** Of the relationship, which is what one removes. */
  id: z.string(),
  user_id: z.string(),
  pseudo: z.string(),
  avatar_url: z.nullable(z.string()),
  relationship_type: z.literal('family'),
  status: z.literal('accepted'),
  created_at: instantSchema,
  deliveries_count: z.number(),
  sounds_count: z.number(),
})
export type CircleMember = z.infer<typeof circleMemberSchema>

/** A delivery of the circle that is still sealed, and who waits for it as far as this viewer may know. */
export const circleWaitSchema = z.object({
  id: z.string(),
  title: z.string(),
  author_id: z.string(),
  author_pseudo: z.string(),
  created_at: instantSchema,
  reveal_date: instantSchema,
  time_zone: z.string(),
  /** Whether it was sealed for this viewer. */
  is_for_me: z.boolean(),
  /** Names of the others it is for; to its author, addresses where there is no name. */
  recipients: z.array(z.string()),
  /** How many more there are whom the author let this viewer know of without a name. */
  unnamed_recipients: z.number(),
})
export type CircleWait = z.infer<typeof circleWaitSchema>

/** behaviour.md 10.4. A delivery of the circle is a family-visible revelation, mine or of somebody of my family. */
export const circleStatisticsSchema = z.object({
  total_members: z.number(),
  total_revelations: z.number(),
  upcoming_revelations: z.number(),
  revealed_revelations: z.number(),
  /** Reactions and comments under them. */
  total_interactions: z.number(),
  /** Deliveries sealed this month beside last month, in percent; 100 when there were none last month. */
  monthly_growth: z.number(),
  average_engagement: z.number(),
  family_score: z.number(),
  score_label: z.enum(SCORE_LABELS),
  top_contributor: z.object({
    user_id: z.nullable(z.string()),
    pseudo: z.string(),
    avatar_url: z.nullable(z.string()),
    deliveries: z.number(),
    /** Over what the most deliveries were counted: this month, or all time when the month has none. */
    period: z.enum(['month', 'all', 'none']),
  }),
  achievements: z.array(z.object({ id: z.enum(ACHIEVEMENTS), is_reached: z.boolean() })),
  /** Of this year in the zone asked for: the deliveries that open in each month, those that did apart. */
  year: z.array(z.object({ month: z.string(), sealed: z.number(), opened: z.number() })),
  /** The next that open, the soonest first, at most six. */
  waiting: z.array(circleWaitSchema),
  /** Twelve, the oldest first, the last one this month in the zone asked for. */
  months: z.array(
    z.object({
      month: z.string(),
      deliveries: z.number(),
      sounds: z.number(),
      interactions: z.number(),
    }),
  ),
})
export type CircleStatistics = z.infer<typeof circleStatisticsSchema>

/**
 * A date of the circle: a family-visible revelation, mine or of somebody of my family, or a voice I may know of (of mine,
 * of my family, or for me) that waits or waited for its instant.
 */
export const circleRevealSchema = z.object({
  kind: z.enum(['revelation', 'sound']),
  id: z.string(),
  title: z.string(),
  author_id: z.string(),
  author_pseudo: z.string(),
  reveal_date: instantSchema,
  time_zone: z.string(),
  is_revealed: z.boolean(),
})
export type CircleReveal = z.infer<typeof circleRevealSchema>

const tags = ['circle'] as const

export const listCircleMembers = defineEndpoint({
  method: 'GET',
  url: '/api/circle/members',
  scope: 'read',
  schema: {
    summary: 'My family, by pseudo, with what each shares with it',
    tags,
    response: { 200: z.object({ members: z.array(circleMemberSchema) }) },
  },
})

export const getCircleStatistics = defineEndpoint({
  method: 'GET',
  url: '/api/circle/statistics',
  scope: 'read',
  schema: {
    summary: 'The figures of my circle, its score and twelve months of activity',
    tags,
    querystring: z.object({ time_zone: z.optional(timeZoneSchema) }),
    response: { 200: circleStatisticsSchema },
  },
})

/** In the zone asked for, the soonest first; of more than 2,000, those nearest to now. */
export const listCircleReveals = defineEndpoint({
  method: 'GET',
  url: '/api/circle/reveals',
  scope: 'read',
  schema: {
    summary:
      'Family-visible revelations of my family and me, and voices, that open from one day to another (both included)',
    tags,
    querystring: z.object({
      from: daySchema,
      to: daySchema,
      time_zone: z.optional(timeZoneSchema),
    }),
    response: {
      200: z.object({
        reveals: z.array(circleRevealSchema),
        /** Of all that is still to come, whatever the days asked for. */
        upcoming: z.number(),
      }),
    },
  },
})
