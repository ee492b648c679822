import type { Outcome, Prediction } from '#contract/predictions.ts'

/** A prediction with my vote as it will be once the server has counted it; null takes it back. */
export function withMyVote(prediction: Prediction, vote: Outcome | null): Prediction {
  const votes = { ...prediction.votes }
  if (prediction.my_vote) votes[prediction.my_vote] -= 1
  if (vote) votes[vote] += 1
  return { ...prediction, votes, my_vote: vote }
}
