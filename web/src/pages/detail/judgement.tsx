import { useQueryClient } from '@tanstack/react-query'
import type { Revelation } from '#contract/revelations.ts'
import { PredictionPanel } from '#web/features/predictions/prediction-panel.tsx'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { AuthorRecord } from './author-record.tsx'

interface JudgementProps {
  revelation: Revelation
  isRevealed: boolean
}

/** Of a public revelation: what became of it, and how far its author was right before. */
export function Judgement({ revelation, isRevealed }: JudgementProps) {
  const client = useQueryClient()
  const { prediction, author_id } = revelation
  const { queryKey } = profileQuery(author_id)
  return (
    <>
      {isRevealed && prediction && (
        <PredictionPanel
          revelation={revelation}
          prediction={prediction}
          onDeclared={() => client.invalidateQueries({ queryKey })}
        />
      )}
      <AuthorRecord revelation={revelation} />
    </>
  )
}
