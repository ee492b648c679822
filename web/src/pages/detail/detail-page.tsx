import { useEffect, useRef } from 'react'
import { useParams } from 'react-router'
import { useRecordView } from '#web/features/revelations/revelations.queries.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { DetailSkeleton } from './detail-skeleton.tsx'
import { HiddenRevelation } from './hidden-revelation.tsx'
import { RevelationView } from './revelation-view.tsx'
import { RevokedLink } from './revoked-link.tsx'
import { useDeliveryKey } from './use-delivery-key.ts'
import { useRevelation } from './use-revelation.ts'

export function DetailPage() {
  const { id = '' } = useParams()
  return <DetailOf key={id} id={id} />
}

function DetailOf({ id }: { id: string }) {
  useDeliveryKey(id)
  const { data: revelation, error, isFetching, refetch } = useRevelation(id)
  useVisit(id, revelation !== undefined)
  if (isRevoked(error)) return <RevokedLink revelationId={id} />
  if (isHidden(error)) return <HiddenRevelation />
  if (revelation) return <RevelationView revelation={revelation} />
  if (!error) return <DetailSkeleton />
  return (
    <div className="content max-w-reading pt-10">
      <PageHeading>Révélation</PageHeading>
      <LoadFailure
        className="mt-6"
        title="Cette révélation n’a pas pu être chargée"
        isRetrying={isFetching}
        onRetry={refetch}
      >
        {errorSentence(error, 'Erreur API')}
      </LoadFailure>
    </div>
  )
}

/** Absent, hidden, or an address that names nothing: the same answer to all. */
function isHidden(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.code === 'invalid_input')
}

/** The personal link of this tab was disabled, and nothing else opens this revelation to its bearer. */
function isRevoked(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'link_revoked'
}

/** Counts one view per visit of the page, once there is something to see. */
function useVisit(id: string, isShown: boolean): void {
  const recordView = useRecordView()
  const isCounted = useRef(false)
  useEffect(() => {
    if (!isShown || isCounted.current) return
    isCounted.current = true
    recordView(id)
  }, [id, isShown, recordView])
}
