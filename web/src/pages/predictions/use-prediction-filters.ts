import { useSearchParams } from 'react-router'
import { OUTCOME_FILTERS, type OutcomeFilter } from '#contract/predictions.ts'
import { CATEGORIES, type Category } from '#contract/revelations.ts'
import type { FeedFilters } from '#web/features/revelations/revelations.queries.ts'

export const PREDICTION_TABS = ['a-venir', 'devoilees'] as const
export type PredictionTab = (typeof PREDICTION_TABS)[number]

export interface PredictionFilters {
  tab: PredictionTab
  category: Category | undefined
  outcome: OutcomeFilter | undefined
  author: string | undefined
  /** The date nearest to today comes first, else the farthest. */
  isNearestFirst: boolean
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The tab and the filters, which the address carries so that they can be shared and come back to. */
export function usePredictionFilters() {
  const [params, setParams] = useSearchParams()
  const filters = predictionFiltersIn(params)
  const setFilters = (change: Partial<PredictionFilters>) =>
    setParams(toParams({ ...filters, ...change }), { replace: true, preventScrollReset: true })
  const openTab = (tab: PredictionTab) =>
    setParams(toParams({ ...filters, tab }), { preventScrollReset: true })
  const clearFilters = () =>
    setParams(toParams({ ...NO_FILTERS, tab: filters.tab }), { replace: true })
  return { filters, setFilters, openTab, clearFilters, isFiltered: isFiltered(filters) }
}

export function predictionFiltersIn(params: URLSearchParams): PredictionFilters {
  const named = <Name extends string>(names: readonly Name[], parameter: string) =>
    names.find((name) => name === params.get(parameter))
  const author = params.get('auteur') ?? ''
  return {
    tab: named(PREDICTION_TABS, 'onglet') ?? 'a-venir',
    category: named(CATEGORIES, 'categorie'),
    outcome: named(OUTCOME_FILTERS, 'issue'),
    author: ID.test(author) ? author : undefined,
    isNearestFirst: params.get('tri') !== 'loin',
  }
}

const NO_FILTERS: Omit<PredictionFilters, 'tab'> = {
  category: undefined,
  outcome: undefined,
  author: undefined,
  isNearestFirst: true,
}

function isFiltered({ tab, category, outcome, author }: PredictionFilters): boolean {
  return Boolean(category || author || (outcome && tab === 'devoilees'))
}

/** The query of the API: public predictions of one status, by reveal date. */
export function toPredictionsQuery(filters: PredictionFilters): FeedFilters {
  const { tab, category, outcome, author, isNearestFirst } = filters
  const isRevealed = tab === 'devoilees'
  return {
    kind: 'prediction',
    visibility: 'public',
    status: isRevealed ? 'revealed' : 'pending',
    sort: isRevealed === isNearestFirst ? 'latest_revealed' : 'soonest',
    ...(category && { category }),
    ...(author && { author }),
    ...(isRevealed && outcome && { outcome }),
  }
}

function toParams({ tab, category, outcome, author, isNearestFirst }: PredictionFilters) {
  return {
    ...(tab !== 'a-venir' && { onglet: tab }),
    ...(category && { categorie: category }),
    ...(outcome && { issue: outcome }),
    ...(author && { auteur: author }),
    ...(!isNearestFirst && { tri: 'loin' }),
  }
}
