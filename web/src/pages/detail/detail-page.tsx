import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { isOpen, isOwn, type OpenRevelation, type Revelation } from '#contract/revelations.ts'
import { RevelationSkeleton } from '#web/features/revelations/revelation-skeleton.tsx'
import { revelationQuery, useRecordView } from '#web/features/revelations/revelations.queries.ts'
import { ApiError } from '#web/lib/api-client.ts'
import { keyInFragment, keyLastsMs, storeDeliveryKey } from '#web/lib/delivery-key.ts'
import { QueryFailure } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { HiddenRevelation, RevokedLink } from './no-revelation.tsx'
import { RevelationView } from './revelation-view.tsx'

export function DetailPage() {
  const { id = '' } = useParams()
  return <DetailOf key={id} id={id} />
}

function DetailOf({ id }: { id: string }) {
  useDeliveryKey(id)
  const query = useRevelation(id)
  const { data: revelation, error } = query
  useVisit(id, revelation !== undefined)
  if (isRevoked(error)) return <RevokedLink revelationId={id} />
  if (isHidden(error)) return <HiddenRevelation />
  if (revelation) return <RevelationView revelation={revelation} />
  if (!error) return <RevelationSkeleton id={id} />
  return (
    <div className="container-page max-w-reading pt-10">
      <PageHeading>Révélation</PageHeading>
      <QueryFailure
        query={query}
        className="mt-6"
        title="Cette révélation n’a pas pu être chargée"
      />
    </div>
  )
}

/** Missing, hidden, or an invalid id: the page is the same for all. */
function isHidden(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.code === 'invalid_input')
}

/** The personal link of this tab was revoked, and nothing else opens the revelation to its bearer. */
function isRevoked(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'link_revoked'
}

/** Records one view per visit, once the revelation is shown. */
function useVisit(id: string, isShown: boolean): void {
  const recordView = useRecordView()
  const isCounted = useRef(false)
  useEffect(() => {
    if (!isShown || isCounted.current) return
    isCounted.current = true
    recordView(id)
  }, [id, isShown, recordView])
}

const ANSWER_FRESH_MS = 30_000
const PREPARING_POLL_MS = 3000
const TEASER_POLL_MS = 10_000

/** A revelation, polled while its file is prepared. */
function useRevelation(id: string) {
  return useQuery({
    ...revelationQuery(id),
    // A refusal stays fresh as long as any other answer.
    retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > ANSWER_FRESH_MS,
    refetchInterval: ({ state }) => (state.data ? pollOf(state.data) : false),
  })
}

function pollOf(revelation: Revelation): number | false {
  if (isOwn(revelation)) {
    return revelation.processing_status === 'processing' ? PREPARING_POLL_MS : false
  }
  if (isOpen(revelation) && isPictureOnItsWay(revelation)) return PREPARING_POLL_MS
  const isTeaserOnItsWay = revelation.teaser_end !== null && revelation.teaser_url === null
  return isTeaserOnItsWay && !revelation.is_revealed ? TEASER_POLL_MS : false
}

/** Whether a readers’ copy of a picture is still on its way. */
function isPictureOnItsWay({ file_type, file_url, files }: OpenRevelation): boolean {
  const all = files ?? [{ type: file_type, url: file_url }]
  return all.some(({ type, url }) => type === 'image' && url === null)
}

/**
 * Moves the personal key of a delivery mail from the address into this tab: the server receives it in a header, never in an
 * address, a log or the history.
 */
function useDeliveryKey(revelationId: string): void {
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const key = keyInFragment(hash)
  const [stored, setStored] = useState<string>()
  // Stored before the first request, and once: a sign-out meanwhile erases it for good.
  if (key && key !== stored) {
    setStored(key)
    storeDeliveryKey(revelationId, key)
  }
  useEffect(() => {
    if (!key) return
    navigate(pathname + search, { replace: true })
    // A page that was open already has an answer without the key.
    const { queryKey } = revelationQuery(revelationId)
    if (client.getQueryState(queryKey)?.fetchStatus !== 'fetching') {
      void client.invalidateQueries({ queryKey })
    }
  }, [key, pathname, search, revelationId, navigate, client])
  // A page that stays open all that time does not outlive the key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key lasts anew
  useEffect(() => {
    const lastsMs = keyLastsMs(revelationId)
    if (lastsMs === undefined) return
    const { queryKey } = revelationQuery(revelationId)
    const timer = setTimeout(() => client.invalidateQueries({ queryKey }), lastsMs)
    return () => clearTimeout(timer)
  }, [stored, revelationId, client])
}
