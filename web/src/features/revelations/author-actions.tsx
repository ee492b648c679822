import { Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import { IconButton, IconLink } from '#web/ui/button.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { useDeleteRevelation } from './revelations.queries.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('#web/ui/confirm-dialog.tsx')).ConfirmDialog,
}))

interface AuthorActionsProps {
  revelation: Revelation
  onDeleted?: (() => void) | undefined
}

/** Edit and delete, as far as the viewer may. */
export function AuthorActions({ revelation, onDeleted }: AuthorActionsProps) {
  const { id, title, can } = revelation
  return (
    <>
      {can.edit && (
        <IconLink
          label={`Modifier ${title}`}
          icon={<Pencil aria-hidden="true" className="size-5" />}
          to={paths.edit(id)}
        />
      )}
      {can.delete && <DeleteButton revelation={revelation} onDeleted={onDeleted} />}
    </>
  )
}

function DeleteButton({ revelation: { id, title }, onDeleted }: AuthorActionsProps) {
  const [isConfirming, setConfirming] = useState(false)
  const {
    mutate: remove,
    isPending,
    error,
    reset,
  } = useDeleteRevelation(() => {
    setConfirming(false)
    showToast('success', 'Révélation supprimée')
    onDeleted?.()
  })
  return (
    <>
      <IconButton
        label={`Supprimer ${title}`}
        icon={<Trash2 aria-hidden="true" className="size-5" />}
        onClick={() => {
          reset()
          setConfirming(true)
        }}
      />
      <Suspense>
        <ConfirmDialog
          open={isConfirming}
          onOpenChange={setConfirming}
          title="Êtes-vous sûr de vouloir supprimer cette révélation ?"
          description={`«\u00A0${title}\u00A0» et son fichier disparaissent tout de suite, pour tout le monde.`}
          confirmLabel="Supprimer"
          busy={isPending}
          error={error ? errorSentence(error, 'Erreur lors de la suppression') : undefined}
          onConfirm={() => remove(id)}
        />
      </Suspense>
    </>
  )
}
