import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isUnreachable } from '#web/lib/api-client.ts'
import { counted, formatBytes } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { offlineQuery, useEraseOffline, useUpdateOffline } from './offline.queries.ts'
import { isOfflineSupported, setStoresAllOffline, storesAllOffline } from './offline-database.ts'
import { OFFLINE_MAX_BYTES } from './offline-letters.ts'
import { failureOf } from './offline-row.tsx'

/** Of all letters that one has opened: whether this device stores them, how much that is, and the way to erase it. */
export function OfflinePanel() {
  const { data: letters = [] } = useQuery(offlineQuery)
  const [storesAll, setStoresAll] = useState(storesAllOffline)
  const [isConfirming, setConfirming] = useState(false)
  const { mutate: update, isPending, error } = useUpdateOffline()
  const { mutate: erase, isPending: isErasing } = useEraseOffline()
  useEffect(() => update(), [update])
  if (!isOfflineSupported()) return null
  const sizeBytes = letters.reduce((sum, letter) => sum + letter.sizeBytes, 0)
  const change = (wanted: boolean) => {
    setStoresAllOffline(wanted)
    setStoresAll(wanted)
    if (wanted) update()
  }
  return (
    <section
      aria-labelledby="hors-ligne"
      className="mt-8 rounded-card border border-line bg-surface p-5 shadow-soft sm:p-6"
    >
      <h2 id="hors-ligne" className="text-xl">
        Sans réseau
      </h2>
      <Switch
        label="Garder mes lettres hors ligne"
        hint="Celles que vous avez ouvertes, avec leurs images et leurs voix, chiffrées sur cet appareil jusqu’à votre déconnexion. Les films et les documents restent en ligne."
        className="mt-1"
        checked={storesAll}
        onChange={({ target }) => change(target.checked)}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p role="status" className="text-ink-soft">
          {isPending && storesAll
            ? 'Enregistrement…'
            : `${counted(letters.length, 'lettre gardée', 'lettres gardées')}, ${formatBytes(sizeBytes)} sur ${formatBytes(OFFLINE_MAX_BYTES)}`}
        </p>
        {letters.length > 0 && (
          <Button variant="ghost" className="-mx-4" onClick={() => setConfirming(true)}>
            Effacer
          </Button>
        )}
      </div>
      {error && storesAll && (
        <Notice tone={isUnreachable(error) ? 'info' : 'error'} className="mt-2">
          {isUnreachable(error)
            ? 'Celles qui manquent seront gardées au retour du réseau.'
            : failureOf(error)}
        </Notice>
      )}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Effacer les lettres gardées hors ligne&#8239;?"
        description="Elles restent dans vos lettres reçues, et se lisent avec le réseau."
        confirmLabel="Effacer"
        busy={isErasing}
        onConfirm={() =>
          erase(undefined, {
            onSuccess: () => {
              setStoresAll(false)
              setConfirming(false)
            },
          })
        }
      />
    </section>
  )
}
