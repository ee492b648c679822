import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Emoji } from '#contract/reactions.ts'
import type { Revelation } from '#contract/revelations.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { LoadFailure } from '#web/ui/notice.tsx'
import { EMOJI_NAMES } from './reaction-buttons.tsx'
import { ReactionRow } from './reaction-row.tsx'
import { reactionsQuery } from './reactions.queries.ts'

interface ReactionSummaryProps {
  revelation: Revelation
  /** Replaces the row of emoji where it is not offered. */
  invitation?: ReactNode
}

/** The row to react, then the first three names of each emoji and how many more. */
export function ReactionSummary({ revelation, invitation }: ReactionSummaryProps) {
  const { data, error, isFetching, refetch } = useQuery(reactionsQuery(revelation.id))
  const summary = data?.summary ?? []
  const countOf = (emoji: Emoji) => summary.find((line) => line.emoji === emoji)?.count
  return (
    <div className="flex flex-col gap-3">
      {invitation ?? (
        <div className="-mx-2">
          <ReactionRow revelation={revelation} countOf={countOf} />
        </div>
      )}
      {error && !data && (
        <LoadFailure isRetrying={isFetching} onRetry={refetch}>
          Impossible de charger les réactions: {errorSentence(error, 'Erreur API')}
        </LoadFailure>
      )}
      {summary.length > 0 && (
        <ul aria-label="Qui a réagi" className="flex flex-col gap-1 text-ink-soft text-sm">
          {summary.map(({ emoji, count, pseudos }) => (
            <li key={emoji} className="flex gap-2">
              <span aria-hidden="true">{emoji}</span>
              <span className="sr-only">{EMOJI_NAMES[emoji]}&#8239;: </span>
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {reactorsInWords(pseudos, count)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** « @ana, @paul, @zoé et 4 autre(s) »: the first names of a summary, then how many more. */
export function reactorsInWords(pseudos: readonly string[], count: number): string {
  const names = pseudos.map((pseudo) => `@${pseudo}`).join(', ')
  const others = count - pseudos.length
  if (others <= 0) return names
  return names ? `${names} et ${others} autre(s)` : `${others} personne(s)`
}
