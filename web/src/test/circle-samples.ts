import type { CircleMember, CircleStatistics, CircleWait } from '#contract/circle.ts'
import { inDays } from './samples.ts'

/** Somebody of the family, with what they shared. */
export function aMember(pseudo: string, overrides: Partial<CircleMember> = {}): CircleMember {
  return {
    id: `tie-${pseudo}`,
    user_id: `user-${pseudo}`,
    pseudo,
    avatar_url: null,
    relationship_type: 'family',
    status: 'accepted',
    created_at: inDays(-100),
    deliveries_count: 0,
    sounds_count: 0,
    ...overrides,
  }
}

/** The figures of a circle in which nothing has happened. */
export function someFigures(overrides: Partial<CircleStatistics> = {}): CircleStatistics {
  return {
    total_members: 0,
    total_revelations: 0,
    upcoming_revelations: 0,
    revealed_revelations: 0,
    total_interactions: 0,
    monthly_growth: 0,
    average_engagement: 0,
    family_score: 0,
    score_label: 'À améliorer',
    top_contributor: {
      user_id: 'user-camille',
      pseudo: 'camille',
      avatar_url: null,
      deliveries: 0,
      period: 'none',
    },
    achievements: [
      { id: 'first_revelation', is_reached: false },
      { id: 'family_builder', is_reached: false },
      { id: 'storyteller', is_reached: false },
      { id: 'family_champion', is_reached: false },
    ],
    year: aYear(() => ({ sealed: 0, opened: 0 })),
    waiting: [],
    months: twelveMonths(() => ({ deliveries: 0, sounds: 0, interactions: 0 })),
    ...overrides,
  }
}

/** January to December 2026. */
export function aYear(
  of: (index: number) => Omit<CircleStatistics['year'][number], 'month'>,
): CircleStatistics['year'] {
  return Array.from({ length: 12 }, (_, index) => ({
    month: `2026-${String(index + 1).padStart(2, '0')}`,
    ...of(index),
  }))
}

/** A letter of the circle that opens in five days, for nobody whom the reader may name. */
export function aWait(overrides: Partial<CircleWait> = {}): CircleWait {
  return {
    id: 'wait-1',
    title: 'Pour tes dix-huit ans',
    author_id: 'user-papa',
    author_pseudo: 'papa',
    created_at: inDays(-100),
    reveal_date: inDays(5),
    time_zone: 'Europe/Brussels',
    is_for_me: false,
    recipients: [],
    unnamed_recipients: 0,
    ...overrides,
  }
}

type Activity = Omit<CircleStatistics['months'][number], 'month'>

/** December 2025 to November 2026. */
export function twelveMonths(of: (index: number) => Activity): CircleStatistics['months'] {
  return Array.from({ length: 12 }, (_, index) => ({
    month: new Date(Date.UTC(2025, 11 + index)).toISOString().slice(0, 7),
    ...of(index),
  }))
}
