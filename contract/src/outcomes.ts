/** What became of a prediction: réalisée, en partie, ratée, indécidable. */
export const OUTCOMES = ['fulfilled', 'partly', 'failed', 'undecidable'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Of a list of predictions: one outcome, or those whose author declared none. */
export const OUTCOME_FILTERS = [...OUTCOMES, 'none'] as const
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number]
