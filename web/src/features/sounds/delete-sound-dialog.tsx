import type { Sound } from '#contract/sounds.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useDeleteSound } from './sounds.queries.ts'

interface DeleteSoundDialogProps {
  sound: Sound | undefined
  onClose: () => void
  /** Called while the sound is still known. */
  onDeleted: (id: string) => void
}

export function DeleteSoundDialog({ sound, onClose, onDeleted }: DeleteSoundDialogProps) {
  const remove = useDeleteSound((id) => {
    onDeleted(id)
    onClose()
  })
  const { error } = remove
  return (
    <ConfirmDialog
      open={sound !== undefined}
      onOpenChange={() => {
        remove.reset()
        onClose()
      }}
      title="Êtes-vous sûr de vouloir supprimer ce son ?"
      description={`«\u00A0${sound?.title ?? ''}\u00A0» disparaîtra pour tout le monde, avec son fichier.`}
      confirmLabel="Supprimer"
      busy={remove.isPending}
      error={
        error
          ? `Erreur lors de la suppression: ${errorSentence(error, 'réessayez dans un instant')}`
          : undefined
      }
      onConfirm={() => sound && remove.mutate(sound.id)}
      returnTo={() =>
        sound && !document.getElementById(rowButtonId(sound.id))
          ? document.querySelector<HTMLElement>('[data-row] button')
          : null
      }
    />
  )
}

/** The main button of a sound’s row. */
export function rowButtonId(id: string): string {
  return `sound-${id}`
}
