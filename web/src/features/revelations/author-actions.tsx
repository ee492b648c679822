import { Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { IconButton, IconLink } from '#web/ui/icon-button.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { useDeleteRevelation } from './revelations.queries.ts'

// Few people ever delete something: the dialog's code comes when it is asked for.
const ConfirmDialog = lazy(async () => ({
  default: (await import('#web/ui/confirm-dialog.tsx')).ConfirmDialog,
}))

interface AuthorActionsProps {
  revelation: Revelation
  onDeleted?: () => void
}

/** What its author may do with it; nothing at all for others. */
export function AuthorActions({ revelation, onDeleted }: AuthorActionsProps) {
  const { id, title, can } = revelation
  const [isAsking, setAsking] = useState(false)
  const { mutate: remove, isPending, error, reset } = useDeleteRevelation()
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
            description={`« ${title} » et son fichier disparaissent tout de suite, pour tout le monde.`}
            confirmLabel="Supprimer"
            busy={isPending}
            error={error ? errorSentence(error, 'Erreur lors de la suppression') : undefined}
            onConfirm={() =>
              remove(id, {
                onSuccess: () => {
                  setAsking(false)
                  void showToast('success', 'Révélation supprimée')
                  onDeleted?.()
                },
              })
            }
          />
        </Suspense>
      )}
    </>
  )
}
