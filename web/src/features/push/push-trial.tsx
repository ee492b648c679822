import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useEffect, useState } from 'react'
import { testPush } from '#contract/push.ts'
import { callApi, errorSentence } from '#web/lib/api-client.ts'
import { browserTimeZone, formatShortInstant } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { findReceivedPush, onReceivedPush } from './received-push.ts'

/** A push service hands it over in a second or two, or keeps it for a device that it does not reach. */
const LATE_MS = 20_000

/** Whether this device is really told: when it was last, and a trial. */
export function PushTrial() {
  const receivedAtMs = useReceivedPush()
  const trial = useMutation({ mutationFn: () => callApi(testPush) })
  const hasArrived = trial.isSuccess && (receivedAtMs ?? 0) >= trial.submittedAt
  const isLate = useLate(trial.data?.queued === true && !hasArrived)
  return (
    <div className="mt-3 border-line border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-56 text-ink-soft">
          {receivedAtMs
            ? `Dernière notification reçue le ${formatShortInstant(new Date(receivedAtMs), browserTimeZone())}.`
            : 'Aucune notification n’est encore arrivée sur cet appareil.'}
        </p>
        <Button
          variant="secondary"
          icon={<BellRing aria-hidden="true" className="size-5" />}
          busy={trial.isPending}
          onClick={() => trial.mutate()}
        >
          M’en envoyer une d’essai
        </Button>
      </div>
      <div role="status">
        {trial.data?.queued && !hasArrived && !isLate && (
          <p className="mt-3 text-ink-soft">Elle est partie, et arrive dans quelques secondes…</p>
        )}
      </div>
      {hasArrived && (
        <Notice tone="success" className="mt-3" title="Elle est arrivée">
          Si rien ne s’est affiché, ce sont les réglages de l’appareil qui la retiennent.
        </Notice>
      )}
      {isLate && (
        <Notice tone="warning" className="mt-3" title="Rien n’est encore arrivé">
          Vérifiez que l’appareil est connecté. Si cela dure, coupez l’interrupteur, rallumez-le,
          puis réessayez.
        </Notice>
      )}
      {trial.data?.queued === false && (
        <Notice tone="warning" className="mt-3" title="Elle n’est pas partie">
          Le site ne sait plus joindre cet appareil. Coupez l’interrupteur, puis rallumez-le.
        </Notice>
      )}
      {trial.error && (
        <Notice tone="error" className="mt-3">
          {errorSentence(trial.error, 'La notification d’essai n’a pas pu partir. Réessayez.')}
        </Notice>
      )}
    </div>
  )
}

const receivedQuery = queryOptions({
  queryKey: ['push', 'received'],
  queryFn: async () => (await findReceivedPush()) ?? null,
  // It costs nothing to ask, and another page may have received it.
  staleTime: 0,
})

function useReceivedPush(): number | null | undefined {
  const client = useQueryClient()
  useEffect(
    () => onReceivedPush(() => void client.invalidateQueries({ queryKey: receivedQuery.queryKey })),
    [client],
  )
  return useQuery(receivedQuery).data
}

/** Whether something has been awaited for too long. */
function useLate(isAwaited: boolean): boolean {
  const [isLate, setLate] = useState(false)
  if (!isAwaited && isLate) setLate(false)
  useEffect(() => {
    if (!isAwaited) return
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [isAwaited])
  return isLate
}
