import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Relationship } from '#contract/relationships.ts'
import { AddPanel } from '#web/features/relationships/add-panel.tsx'
import { RelatedPanel } from '#web/features/relationships/related-panel.tsx'
import {
  type Requests,
  relationshipsQuery,
  requestsQuery,
} from '#web/features/relationships/relationships.queries.ts'
import { ReceivedRequests, SentRequests } from '#web/features/relationships/requests-panels.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import TwoLanterns from '#web/ui/art/two-lanterns.svg?react'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'

/** Received requests come first, since somebody waits for each answer. */
export function RelationsTab() {
  const searchField = useRef<HTMLInputElement>(null)
  const relationships = useQuery(relationshipsQuery)
  const requests = useQuery(requestsQuery)
  const received = requests.data?.received ?? []
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
      {received.length > 0 && (
        <div className="min-w-0 lg:col-start-2">
          <ReceivedRequests requests={received} />
        </div>
      )}
      <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
        <AddPanel searchField={searchField} />
      </div>
      <div className="flex min-w-0 flex-col gap-5 lg:col-start-2">
        <People
          relationships={relationships}
          requests={requests}
          onSearch={() => searchField.current?.focus()}
        />
      </div>
    </div>
  )
}

interface PeopleProps {
  relationships: UseQueryResult<Relationship[]>
  requests: UseQueryResult<Requests>
  onSearch: () => void
}

function People({ relationships, requests, onSearch }: PeopleProps) {
  const error = relationships.error ?? requests.error
  if (error && !(relationships.data && requests.data)) {
    const retry = () => Promise.all([relationships.refetch(), requests.refetch()])
    return (
      <LoadFailure title="Vos relations n’ont pas pu être chargées" onRetry={retry}>
        {errorSentence(error, 'Erreur API')}
      </LoadFailure>
    )
  }
  if (!relationships.data || !requests.data) return <PeopleSkeleton />
  const { received, sent } = requests.data
  if (relationships.data.length + received.length + sent.length === 0) {
    return (
      <EmptyState
        art={TwoLanterns}
        artClassName="w-48"
        title="Personne encore à vos côtés"
        action={
          <Button variant="secondary" onClick={onSearch}>
            Rechercher une personne
          </Button>
        }
      >
        Ajoutez vos amis et votre famille&#8239;: eux seuls verront ce que vous leur réservez.
      </EmptyState>
    )
  }
  return (
    <>
      <RelatedPanel type="friend" relationships={relationships.data} />
      <RelatedPanel type="family" relationships={relationships.data} />
      <SentRequests requests={sent} />
    </>
  )
}

function PeopleSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-5">
      <span className="sr-only">Chargement de vos relations</span>
      <Skeleton className="h-40 rounded-card!" />
      <Skeleton className="h-40 rounded-card!" />
    </div>
  )
}
