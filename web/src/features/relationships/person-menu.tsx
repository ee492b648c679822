import { Ban, Ellipsis, Flag, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { EndDialog } from './end-dialog.tsx'
import { useBlockPerson } from './relationships.queries.ts'

interface PersonMenuProps {
  personId: string
  pseudo: string
  relationshipId: string | undefined
  onReport: () => void
}

/** What one seldom does about somebody. */
export function PersonMenu({ personId, pseudo, relationshipId, onReport }: PersonMenuProps) {
  const [question, setQuestion] = useState<'end' | 'block'>()
  const navigate = useNavigate()
  const block = useBlockPerson(() => {
    // Their profile is closed to me from now on: there is nothing left to see here.
    navigate(paths.home)
    showToast('success', `Vous avez bloqué @${pseudo}. Vos paramètres permettent d’en revenir.`)
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={`Plus d’actions pour @${pseudo}`}
            icon={<Ellipsis aria-hidden="true" className="size-5" />}
            className="border border-line-strong bg-surface"
          />
        }
      >
        {relationshipId && (
          <MenuItem
            icon={<UserMinus aria-hidden="true" className="size-5" />}
            onSelect={() => setQuestion('end')}
          >
            Supprimer la relation
          </MenuItem>
        )}
        <MenuItem icon={<Flag aria-hidden="true" className="size-5" />} onSelect={onReport}>
          Signaler
        </MenuItem>
        <MenuItem
          danger
          icon={<Ban aria-hidden="true" className="size-5" />}
          onSelect={() => setQuestion('block')}
        >
          Bloquer
        </MenuItem>
      </Menu>
      <EndDialog
        relationshipId={question === 'end' ? relationshipId : undefined}
        pseudo={pseudo}
        onClose={() => setQuestion(undefined)}
      />
      <ConfirmDialog
        open={question === 'block'}
        onOpenChange={() => {
          block.reset()
          setQuestion(undefined)
        }}
        title={`Bloquer @${pseudo}\u202F?`}
        description={`${relationshipId ? 'Votre relation prend fin. ' : ''}Vous ne verrez plus rien l’un de l’autre\u202F: ni profil, ni révélations, ni commentaires. Cette personne n’en est pas avertie, et vous pouvez la débloquer dans vos paramètres.`}
        confirmLabel="Bloquer"
        busy={block.isPending}
        error={block.error ? errorSentence(block.error, 'Erreur API') : undefined}
        onConfirm={() => block.mutate(personId)}
      />
    </>
  )
}
