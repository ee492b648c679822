import type { EndpointOutput } from '#contract/endpoint.ts'
import type { PublicRecord } from '#contract/predictions.ts'
import type { getUser, ProfileStats, PublicUser, User } from '#contract/profiles.ts'
import type { ReceivedRequest, Relationship, SentRequest } from '#contract/relationships.ts'
import type { PlanOffer, Preferences, Subscription } from '#contract/subscriptions.ts'
import { aUser, inDays } from './samples.ts'

/** Somebody else, as everybody sees them. */
export function aPerson(overrides: Partial<PublicUser> = {}): PublicUser {
  const { email: _, ...person } = aUser({ id: 'user-noemie', pseudo: 'noemie' })
  return { ...person, ...overrides }
}

/** The record of somebody who sealed nothing in public. */
export function aRecord(overrides: Partial<PublicRecord> = {}): PublicRecord {
  return {
    sealed: 0,
    revealed: 0,
    withdrawn: 0,
    outcomes: { fulfilled: 0, partly: 0, failed: 0, undecidable: 0 },
    undeclared: 0,
    narrowed: 0,
    unattested: 0,
    ...overrides,
  }
}

export function someStats(overrides: Partial<ProfileStats> = {}): ProfileStats {
  return {
    total_revelations: 0,
    revealed_revelations: 0,
    pending_revelations: 0,
    total_reactions: 0,
    total_comments: 0,
    total_views: 0,
    record: aRecord(),
    ...overrides,
  }
}

export function aProfile(
  overrides: Partial<EndpointOutput<typeof getUser>> = {},
): EndpointOutput<typeof getUser> {
  return {
    user: aPerson(),
    stats: someStats(),
    standing: { relationship: null, request: null },
    ...overrides,
  }
}

/** One’s own profile, as the server tells it. */
export function myProfile(
  stats: Partial<ProfileStats> = {},
  me: User = aUser(),
): EndpointOutput<typeof getUser> {
  const { email: _, ...user } = me
  return { user, stats: someStats(stats), standing: null }
}

function tiedPerson(pseudo: string) {
  return {
    id: `user-${pseudo}`,
    pseudo,
    email: `${pseudo}@exemple.be`,
    email_verified: true,
    avatar_url: null,
  }
}

export function aRelationship(pseudo: string, overrides: Partial<Relationship> = {}): Relationship {
  return {
    id: `tie-${pseudo}`,
    user_id: aUser().id,
    related_user_id: `user-${pseudo}`,
    related_pseudo: pseudo,
    related_user: tiedPerson(pseudo),
    relationship_type: 'friend',
    status: 'accepted',
    created_at: inDays(-60),
    ...overrides,
  }
}

export function aReceivedRequest(
  pseudo: string,
  overrides: Partial<ReceivedRequest> = {},
): ReceivedRequest {
  return {
    id: `request-${pseudo}`,
    sender_id: `user-${pseudo}`,
    receiver_id: aUser().id,
    type: 'friend',
    status: 'pending',
    message: '',
    created_at: inDays(-2),
    sender: tiedPerson(pseudo),
    ...overrides,
  }
}

export function aSentRequest(pseudo: string, overrides: Partial<SentRequest> = {}): SentRequest {
  const { id, avatar_url } = tiedPerson(pseudo)
  return {
    id: `request-${pseudo}`,
    sender_id: aUser().id,
    receiver_id: id,
    type: 'friend',
    status: 'pending',
    message: '',
    created_at: inDays(-2),
    receiver: { id, pseudo, avatar_url },
    ...overrides,
  }
}

export function aSubscription(overrides: Partial<Subscription> = {}): Subscription {
  return {
    subscription_type: 'free',
    subscription_expires: null,
    expired_plan: null,
    additional_storage: 0,
    extra_storage: 0,
    total_storage: 500,
    used_storage: 125,
    awaits_verification: false,
    ...overrides,
  }
}

export function aPlan(overrides: Partial<PlanOffer> = {}): PlanOffer {
  return {
    id: 'free',
    name: 'Gratuit',
    emoji: '🌱',
    price: 0,
    period: 'par mois',
    storage: 500,
    features: ['5 révélations scellées à la fois', 'Formats de base'],
    recommended: false,
    ...overrides,
  }
}

export const ALL_PREFERENCES: Preferences = {
  emailNotifications: true,
  newRevelations: true,
  revelationRevealed: true,
  newComments: true,
  newReactions: true,
  showPresence: true,
  onThisDay: true,
  repliesByEmail: false,
}
