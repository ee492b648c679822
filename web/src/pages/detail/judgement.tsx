import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AuthorRecord, PredictionPanel } from './parts.ts'

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
    <Suspense fallback={<Skeleton className="h-40 w-full rounded-card!" />}>
      {isRevealed && prediction && (
        <PredictionPanel
          revelation={revelation}
          prediction={prediction}
          onDeclared={() => client.invalidateQueries({ queryKey })}
        />
      )}
      <AuthorRecord revelation={revelation} />
    </Suspense>
  )
}
