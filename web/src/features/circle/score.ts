import type { CircleStatistics } from '#contract/circle.ts'

/** From how many points on the score has another label (behaviour.md 10.4). */
export const SCORE_STEPS = [40, 60, 80] as const
export const SCORE_MAX = 100

const STEP_LABELS = { 40: 'Moyenne', 60: 'Bonne', 80: 'Excellente' } as const

/** What is missing for the next label; undefined at the last one. */
export function nextStep(score: number): { points: number; label: string } | undefined {
  const step = SCORE_STEPS.find((points) => score < points)
  return step && { points: step - score, label: STEP_LABELS[step] }
}

/** Where the points come from; together they may be more than the score, which ends at a hundred. */
export function scoreParts(statistics: CircleStatistics): { what: string; points: number }[] {
  const { total_members, total_revelations, average_engagement } = statistics
  return [
    { what: '10 par membre', points: 10 * total_members },
    { what: '5 par livraison', points: 5 * total_revelations },
    { what: '2 par point d’engagement', points: 2 * average_engagement },
  ]
}
