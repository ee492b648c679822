import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import { IconButton } from '#web/ui/button.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { useDeleteRevelation } from './revelations.queries.ts'

const Menu = lazy(async () => ({ default: (await import('#web/ui/menu.tsx')).Menu }))
const MenuItem = lazy(async () => ({ default: (await import('#web/ui/menu.tsx')).MenuItem }))
const MenuLink = lazy(async () => ({ default: (await import('#web/ui/menu.tsx')).MenuLink }))
const ConfirmDialog = lazy(async () => ({
  default: (await import('#web/ui/confirm-dialog.tsx')).ConfirmDialog,
}))

interface AuthorMenuProps {
  revelation: Revelation
  onDeleted?: (() => void) | undefined
}

/** Edit and delete, as far as the viewer may; nothing for others. Its menu is loaded by the first press. */
export function AuthorMenu({ revelation, onDeleted }: AuthorMenuProps) {
  const { id, title, can } = revelation
  const [isWanted, setWanted] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  if (!can.edit && !can.delete) return null
  const button = (
    <IconButton
      label={`Plus d’actions pour ${title}`}
      icon={<Ellipsis aria-hidden="true" className="size-5" />}
      aria-haspopup="menu"
      onClick={() => setWanted(true)}
    />
  )
  return (
    <>
      {!isWanted ? (
        button
      ) : (
        <Suspense fallback={button}>
          <Menu trigger={button} defaultOpen>
            {can.edit && (
              <MenuLink icon={<Pencil aria-hidden="true" className="size-5" />} to={paths.edit(id)}>
                Modifier
              </MenuLink>
            )}
            {can.delete && (
              <MenuItem
                danger
                icon={<Trash2 aria-hidden="true" className="size-5" />}
                onSelect={() => setConfirming(true)}
              >
                Supprimer
              </MenuItem>
            )}
          </Menu>
        </Suspense>
      )}
      {isConfirming && (
        <DeleteDialog
          revelation={revelation}
          onClose={() => setConfirming(false)}
          onDeleted={onDeleted}
        />
      )}
    </>
  )
}

interface DeleteDialogProps extends AuthorMenuProps {
  onClose: () => void
}

function DeleteDialog({ revelation: { id, title }, onClose, onDeleted }: DeleteDialogProps) {
  const remove = useDeleteRevelation(() => {
    onClose()
    showToast('success', 'Révélation supprimée')
    onDeleted?.()
  })
  return (
    <Suspense>
      <ConfirmDialog
        open
        onOpenChange={onClose}
        title="Êtes-vous sûr de vouloir supprimer cette révélation ?"
        description={`«\u202F${title}\u202F» et son fichier disparaissent tout de suite, pour tout le monde.`}
        confirmLabel="Supprimer"
        busy={remove.isPending}
        error={
          remove.error ? errorSentence(remove.error, 'Erreur lors de la suppression') : undefined
        }
        onConfirm={() => remove.mutate(id)}
      />
    </Suspense>
  )
}
