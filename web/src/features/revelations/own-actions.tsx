import { Pencil, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { IconButton, IconLink } from '#web/ui/icon-button.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { useDeleteRevelation } from './revelations.queries.ts'

// Few people ever delete something: the dialog's code comes when it is asked for.
const ConfirmDialog = lazyPart(() => import('#web/ui/confirm-dialog.tsx'), 'ConfirmDialog')

export interface OwnActionsProps {
  revelation: Revelation
  onDeleted?: () => void
}

/** Change it, delete it: as far as it may still be. */
export function OwnActions({ revelation, onDeleted }: OwnActionsProps) {
  const { id, title, can } = revelation
  const [isAsking, setAsking] = useState(false)
  const {
    mutate: remove,
    isPending,
    error,
    reset,
  } = useDeleteRevelation(() => {
    setAsking(false)
    void showToast('success', 'Révélation supprimée')
    onDeleted?.()
  })
  return (
    <>
      {can.edit && (
        <IconLink
          label={`Modifier ${title}`}
          icon={<Pencil aria-hidden="true" className="size-5" />}
          to={paths.edit(id)}
        />
      )}
      {can.delete && (
        <IconButton
          label={`Supprimer ${title}`}
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onClick={() => {
            reset()
            setAsking(true)
          }}
        />
      )}
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            open
            onOpenChange={setAsking}
            title="Êtes-vous sûr de vouloir supprimer cette révélation ?"
            description={`«\u00A0${title}\u00A0» et son fichier disparaissent tout de suite, pour tout le monde.`}
            confirmLabel="Supprimer"
            busy={isPending}
            error={error ? errorSentence(error, 'Erreur lors de la suppression') : undefined}
            onConfirm={() => remove(id)}
          />
        </Suspense>
      )}
    </>
  )
}
