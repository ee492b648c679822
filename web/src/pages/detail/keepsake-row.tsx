import { useMutation } from '@tanstack/react-query'
import { FileArchive, Printer } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { createLetterLink } from '#contract/exports.ts'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { isOfflineSupported } from '#web/features/offline-letters/offline-database.ts'
import { hasAlbum, loadAlbum } from '#web/features/revelations/album-code.ts'
import { useRefreshRevelation } from '#web/features/revelations/revelations.queries.ts'
import { callApi, errorSentence } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders, useDeviceLetters } from '#web/lib/delivery-key.ts'
import { saveFrom } from '#web/lib/device.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showToast } from '#web/ui/toasts.tsx'

const OfflineRow = lazy(async () => ({
  default: (await import('#web/features/offline-letters/offline-row.tsx')).OfflineRow,
}))

/** An open letter at home: on paper, and as files. */
export function KeepsakeRow({ revelation }: { revelation: Revelation }) {
  const { user } = useSession()
  const isOnDevice = useDeviceLetters().includes(revelation.id)
  // Where it is read without an account, the device is to be the reader’s.
  const isOfflineOffered = isOfflineSupported() && (user !== null || isOnDevice)
  const { mutate: save, isPending, error } = useLetterDownload(revelation.id)
  const { print, isPreparing } = usePrint(revelation)
  return (
    <section aria-labelledby="keepsake" className="flex flex-col gap-3">
      <h2 id="keepsake" className="text-xl">
        Garder cette lettre
      </h2>
      <div className="grid gap-2 xs:flex xs:flex-wrap xs:gap-3">
        <Button
          variant="secondary"
          icon={<Printer aria-hidden="true" className="size-5" />}
          busy={isPreparing}
          busyLabel="Préparation…"
          onClick={print}
        >
          Imprimer
        </Button>
        <Button
          variant="secondary"
          icon={<FileArchive aria-hidden="true" className="size-5" />}
          busy={isPending}
          busyLabel="Préparation…"
          onClick={() => save()}
        >
          Télécharger tout
        </Button>
      </div>
      <p className="text-ink-soft text-sm">
        Le téléchargement contient la lettre, ses fichiers et la preuve du sceau.
      </p>
      {isOfflineOffered && (
        <div className="min-h-11">
          <Suspense>
            <OfflineRow revelation={revelation} />
          </Suspense>
        </div>
      )}
      {error && (
        <Notice tone="error">
          {errorSentence(error, 'La lettre n’a pas pu être téléchargée. Réessayez.')}
        </Notice>
      )}
    </section>
  )
}

/** The pictures of an album are fetched for it, under tickets of now: a page shows others. */
function usePrint(revelation: Revelation) {
  const refresh = useRefreshRevelation()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => (await loadAlbum()).loadPrinted(() => refresh(revelation.id)),
    onSettled: () => window.print(),
  })
  return { print: () => (hasAlbum(revelation) ? mutate() : window.print()), isPreparing: isPending }
}

/** The browser downloads the archive: it may be too large for the memory of a page. */
function useLetterDownload(id: string) {
  return useMutation({
    mutationFn: async () => {
      const { url } = await callApi(
        createLetterLink,
        { params: { id } },
        { headers: deliveryKeyHeaders(id) },
      )
      saveFrom(url)
    },
    onSuccess: () => showToast('success', 'Le téléchargement commence'),
  })
}
