import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { offlineQuery } from '#web/features/offline-letters/offline.queries.ts'
import { OfflinePanel } from '#web/features/offline-letters/offline-panel.tsx'
import { JoinOffer } from '#web/features/received/join-offer.tsx'
import { LetterCard } from '#web/features/received/letter-card.tsx'
import { LetterGrid } from '#web/features/received/letter-grid.tsx'
import { receivedQuery } from '#web/features/received/received.queries.ts'
import { isUnreachable } from '#web/lib/api-client.ts'
import { useDeviceLetters } from '#web/lib/delivery-key.ts'
import { paths } from '#web/lib/paths.ts'
import { QueryFailure } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { ReceivedFields } from './received-fields.tsx'
import { ReceivedList, ReceivedSkeleton } from './received-list.tsx'
import { Unverified } from './received-notes.tsx'
import { useReceivedFilters } from './use-received-filters.ts'

/** The letters addressed to the reader, and those joined by their personal links. */
export function ReceivedPage() {
  const { email_verified } = useSignedInUser()
  const { filters, setFilters, clearFilters } = useReceivedFilters()
  const { q, state } = filters
  const query = useInfiniteQuery(
    receivedQuery({ ...(q && { q }), ...(state !== 'all' && { state }) }),
  )
  const counts = query.data?.pages[0]?.counts
  const total = counts && counts.waiting + counts.upcoming + counts.opened
  const hasNone = total === 0
  return (
    <div className="container-page pt-6 sm:pt-10">
      <PageHeading>Lettres reçues</PageHeading>
      <JoinOffer className="mt-4" />
      {!email_verified && hasNone && <Unverified />}
      {!hasNone && (
        <ReceivedFields filters={filters} total={total} counts={counts} onChange={setFilters} />
      )}
      {query.isPending ? (
        <ReceivedSkeleton />
      ) : query.data ? (
        <ReceivedList
          query={query}
          pages={query.data.pages}
          filters={filters}
          hasNone={hasNone}
          onClear={clearFilters}
        />
      ) : (
        <>
          <QueryFailure
            query={query}
            className="mt-6"
            title="Vos lettres reçues n’ont pas pu être chargées"
          />
          {isUnreachable(query.error) && <OfflineLetters />}
        </>
      )}
      {!email_verified && counts && !hasNone && <Unverified />}
      {!query.isPending && (
        <>
          <OfflinePanel />
          <DeviceLettersLink />
        </>
      )}
    </div>
  )
}

/** What can be read without the server. */
function OfflineLetters() {
  const { data: letters = [] } = useQuery(offlineQuery)
  if (letters.length === 0) return null
  return (
    <section aria-labelledby="gardees" className="mt-6">
      <h2 id="gardees" className="text-xl sm:text-2xl">
        À lire sans réseau
      </h2>
      <LetterGrid>
        {letters.map(({ revelation }) => (
          <li key={revelation.id}>
            <LetterCard
              revelation={revelation}
              state="opened"
              openedAt={revelation.opening.opened_at}
            />
          </li>
        ))}
      </LetterGrid>
    </section>
  )
}

function DeviceLettersLink() {
  const hasDeviceLetters = useDeviceLetters().length > 0
  if (!hasDeviceLetters) return null
  return (
    <p className="mt-8">
      <Link
        to={paths.deviceLetters}
        className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
      >
        Mes lettres sur cet appareil
      </Link>
    </p>
  )
}
