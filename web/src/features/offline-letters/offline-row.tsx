import { useQuery } from '@tanstack/react-query'
import { CloudDownload, CloudOff } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { OpenRevelation, Revelation } from '#contract/revelations.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { formatBytes } from '#web/lib/format.ts'
import { useOnline } from '#web/lib/online.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { offlineQuery, useForgetOffline, useStoreOffline } from './offline.queries.ts'
import { storesAllOffline } from './offline-database.ts'
import { OFFLINE_MAX_BYTES, OfflineFullError } from './offline-letters.ts'

/** Under an open letter: to read it without a network on this device. */
export function OfflineRow({ revelation }: { revelation: Revelation }) {
  const { id } = revelation
  const { data } = useQuery(offlineQuery)
  const { mutate: store, isPending: isStoring, error } = useStoreOffline(id)
  const { mutate: forget, isPending: isForgetting } = useForgetOffline(id)
  const isOnline = useOnline()
  const known = data?.find((letter) => letter.revelation.id === id)
  const storeAutomatically = useEffectEvent(() => {
    if (data && !known && storesAllOffline()) store()
  })
  const isReady = data !== undefined
  useEffect(() => {
    if (isReady) storeAutomatically()
  }, [isReady])
  if (!isReady) return null
  return (
    <div className="flex flex-col gap-2">
      {known ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p role="status" className="flex items-center gap-2.5">
            <CloudOff aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
            {isOnline
              ? `Elle se lit ici sans réseau (${formatBytes(known.sizeBytes)})`
              : 'Vous lisez la copie gardée sur cet appareil'}
          </p>
          <Button variant="ghost" className="-mx-4" busy={isForgetting} onClick={() => forget()}>
            Ne plus la garder hors ligne
          </Button>
        </div>
      ) : (
        <Button
          variant="secondary"
          className="self-start max-xs:w-full"
          icon={<CloudDownload aria-hidden="true" className="size-5" />}
          busy={isStoring}
          busyLabel="Enregistrement…"
          onClick={() => store()}
        >
          Lire sans réseau
        </Button>
      )}
      <p className="text-ink-soft text-sm empty:hidden">
        {exceptionOf(revelation as OpenRevelation)}
      </p>
      {error && <Notice tone="error">{failureOf(error)}</Notice>}
    </div>
  )
}

function exceptionOf({ file_type, files = [] }: OpenRevelation): string | undefined {
  if (files.length > 1) {
    const isWhole = files.every(({ type }) => type === 'image' || type === 'audio')
    return isWhole
      ? undefined
      : 'Sans réseau\u202F: ses mots, ses photos et ses enregistrements. Films et documents se regardent en ligne.'
  }
  if (file_type === 'video')
    return 'Sans réseau\u202F: ses mots et une image. Le film, trop lourd, se regarde en ligne.'
  if (file_type === 'document') return 'Sans réseau\u202F: ses mots. Le document se lit en ligne.'
  return undefined
}

export function failureOf(error: Error): string {
  if (error instanceof OfflineFullError) {
    return `Il n’y a plus de place\u202F: ${formatBytes(OFFLINE_MAX_BYTES)} de lettres sont gardés hors ligne. Effacez-en depuis vos lettres reçues.`
  }
  return errorSentence(error, 'Elle n’a pas pu être gardée hors ligne. Réessayez.')
}
