import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema, instantSchema } from './text.ts'

export const PLANS = ['free', 'standard', 'pro', 'unlimited'] as const
export type Plan = (typeof PLANS)[number]

/** How many revelations are sealed at once on the free plan; opened ones do not count, the other plans have no limit. */
export const FREE_SEALED_REVELATIONS = 5

/** What some plans have and others have not: themes, advanced statistics, personal API tokens. */
export const FEATURES = ['themes', 'statistics', 'api'] as const
export type Feature = (typeof FEATURES)[number]

const FEATURES_OF: Record<Plan, readonly Feature[]> = {
  free: [],
  standard: ['themes'],
  pro: FEATURES,
  unlimited: FEATURES,
}

export function hasFeature(plan: Plan, feature: Feature): boolean {
  return FEATURES_OF[plan].includes(feature)
}

/** The room of an account whose address is not verified, whatever its plan. */
export const UNVERIFIED_STORAGE_MB = 100

/** Sizes in MB, -1 for unlimited. */
export const subscriptionSchema = z.object({
  subscription_type: z.enum(PLANS),
  subscription_expires: z.nullable(instantSchema),
  /** The paid plan that ended then; the limits are those of the free plan again. */
  expired_plan: z.nullable(z.enum(PLANS)),
  additional_storage: z.number(),
  extra_storage: z.number(),
  total_storage: z.number(),
  used_storage: z.number(),
  /** Whether `total_storage` is less than the plan gives, until the address of the account is verified. */
  awaits_verification: z.boolean(),
})
export type Subscription = z.infer<typeof subscriptionSchema>

const planSchema = z.object({
  id: z.enum(PLANS),
  name: z.string(),
  emoji: z.string(),
  price: z.number(),
  period: z.string(),
  /** Room in MB, -1 for unlimited. */
  storage: z.number(),
  features: z.array(z.string()),
  recommended: z.boolean(),
})
export type PlanOffer = z.infer<typeof planSchema>

/** behaviour.md 5.6: all true until changed, but what `OFF_AT_FIRST` names. The names are camelCase because clients rely on them. */
export const MAIL_PREFERENCES = [
  'emailNotifications',
  'newRevelations',
  'revelationRevealed',
  'newComments',
  'newReactions',
] as const

export const PREFERENCES = [
  ...MAIL_PREFERENCES,
  'showPresence',
  'onThisDay',
  'repliesByEmail',
] as const
export type Preference = (typeof PREFERENCES)[number]

/** What shows something of an account to others only once it says so. */
export const OFF_AT_FIRST: readonly Preference[] = ['repliesByEmail']

const switchSchema = z.boolean('Choisissez oui ou non')
export const preferencesSchema = z.object({
  emailNotifications: switchSchema,
  newRevelations: switchSchema,
  revelationRevealed: switchSchema,
  newComments: switchSchema,
  newReactions: switchSchema,
  /** Whether friends and family are shown that I wait for a letter (behaviour.md 4.8). */
  showPresence: switchSchema,
  /** Whether « Ce jour-là » reminds me of what opened a year ago, or more (behaviour.md 4.11). */
  onThisDay: switchSchema,
  /** Whether those I write to may answer my own address, which their mails then show; with a proved address only. */
  repliesByEmail: switchSchema,
})
export type Preferences = z.infer<typeof preferencesSchema>

/**
 * A name chosen for one purchase: asked again under it (a second tap, an answer that was lost), nothing more is bought.
 */
const idempotency_key = z.optional(idSchema)

const tags = ['subscriptions'] as const

export const getSubscription = defineEndpoint({
  method: 'GET',
  url: '/api/subscriptions/me',
  schema: { summary: 'My plan and my room', tags, response: { 200: subscriptionSchema } },
})

const storageOptionSchema = z.object({ amount: z.number(), label: z.string(), price: z.number() })
export type StorageOption = z.infer<typeof storageOptionSchema>

export const listPlans = defineEndpoint({
  method: 'GET',
  url: '/api/subscriptions/plans',
  schema: {
    summary: 'The plans and the storage one may add',
    tags,
    response: {
      200: z.object({
        plans: z.array(planSchema),
        storageOptions: z.array(storageOptionSchema),
        /** Whether anybody may choose one (nothing is paid); otherwise the operator grants them. */
        simulated: z.boolean(),
      }),
    },
  },
})

/**
 * For a month from now; 409 `plan_current` when it is the plan that counts now. `free` ends a paid plan at once; asked
 * again under a key, it answers as the first time.
 * Simulated: nothing is paid (behaviour.md 11.2). 403 `plans_granted` where the operator grants plans.
 */
export const upgradePlan = defineEndpoint({
  method: 'POST',
  url: '/api/subscriptions/upgrade',
  schema: {
    summary: 'Choose another plan; nothing is paid in this version',
    tags,
    body: z.object({ plan: z.enum(PLANS, 'Ce plan n’existe pas'), idempotency_key }),
    response: { 200: subscriptionSchema },
  },
})

/**
 * `storage_amount` in MB, one of the storage options; 409 `storage_unlimited` on a plan without limit,
 * `storage_maximum` where what was added would exceed 1 TB; 403 `plans_granted` where the operator grants plans.
 */
export const buyStorage = defineEndpoint({
  method: 'POST',
  url: '/api/subscriptions/storage',
  schema: {
    summary: 'Add storage to my plan; nothing is paid in this version',
    tags,
    body: z.object({
      storage_amount: z.number('Cette quantité n’est pas proposée'),
      idempotency_key,
    }),
    response: { 200: subscriptionSchema },
  },
})

export const getPreferences = defineEndpoint({
  method: 'GET',
  url: '/api/subscriptions/preferences',
  schema: {
    summary: 'Which mails I want, and whether I show that I wait',
    tags,
    response: { 200: z.object({ preferences: preferencesSchema }) },
  },
})

export const savePreferences = defineEndpoint({
  method: 'PUT',
  url: '/api/subscriptions/preferences',
  schema: {
    summary: 'Choose them; what is absent stays as it is',
    tags,
    body: z.partial(preferencesSchema),
    response: { 200: z.object({ preferences: preferencesSchema }) },
  },
})
