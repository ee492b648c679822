import type { Revelation } from '#contract/revelations.ts'
import { OutcomeLine } from './declared-outcome.tsx'
import { VoteRow } from './vote-row.tsx'

/** On a card among predictions: what its author says became of it, and what readers say. */
export function CardVerdict({ revelation }: { revelation: Revelation }) {
  const { prediction } = revelation
  if (!prediction) return null
  return (
    <div className="flex flex-col gap-2.5">
      {prediction.declared ? (
        <OutcomeLine declared={prediction.declared} revelation={revelation} />
      ) : (
        <p className="text-ink-soft text-sm">L’auteur n’a pas encore déclaré d’issue.</p>
      )}
      <VoteRow revelation={revelation} prediction={prediction} />
    </div>
  )
}
