import { Ban, Ellipsis, Flag, Send, UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Standing } from '#contract/profiles.ts'
import { REQUEST_MESSAGE_MAX_LENGTH, type RelationshipType } from '#contract/relationships.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { isUnverifiedSender, UnverifiedDialog } from './answer-buttons.tsx'
import { EndDialog } from './end-dialog.tsx'
import { MessageField, TypeChoice } from './relationship-fields.tsx'
import { announceRequested, TypeBadge } from './relationship-types.tsx'
import { useBlockPerson, useRequestRelationship } from './relationships.queries.ts'

interface StandingActionsProps {
  personId: string
  pseudo: string
  standing: NonNullable<Standing>
  onReport: () => void
}

/** The relation to a person, and its actions. */
export function StandingActions({ personId, pseudo, standing, onReport }: StandingActionsProps) {
  const { relationship, request } = standing
  const [isRequesting, setRequesting] = useState(false)
  return (
    <>
      {relationship && <TypeBadge type={relationship.type} />}
      {!relationship && !request && (
        <Button
          icon={<UserPlus aria-hidden="true" className="size-5" />}
          onClick={() => setRequesting(true)}
        >
          Ajouter
        </Button>
      )}
      <PersonMenu
        personId={personId}
        pseudo={pseudo}
        relationshipId={relationship?.id}
        onReport={onReport}
      />
      {isRequesting && (
        <RequestDialog personId={personId} pseudo={pseudo} onClose={() => setRequesting(false)} />
      )}
    </>
  )
}

interface PersonMenuProps {
  personId: string
  pseudo: string
  relationshipId: string | undefined
  onReport: () => void
}

function PersonMenu({ personId, pseudo, relationshipId, onReport }: PersonMenuProps) {
  const [question, setQuestion] = useState<'end' | 'block'>()
  const navigate = useNavigate()
  const block = useBlockPerson(() => {
    // The profile of a blocked person is hidden from now on.
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

interface RequestDialogProps {
  personId: string
  pseudo: string
  onClose: () => void
}

function RequestDialog({ personId, pseudo, onClose }: RequestDialogProps) {
  const [type, setType] = useState<RelationshipType>('friend')
  const [message, setMessage] = useState('')
  const words = message.trim()
  const request = useRequestRelationship(({ relationship }) => {
    onClose()
    announceRequested(pseudo, relationship)
  })
  const input = { receiver_id: personId, type, ...(words && { message: words }) }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Ajouter @${pseudo}`}
      footer={
        <Button
          icon={<Send aria-hidden="true" className="size-5" />}
          busy={request.isPending}
          busyLabel="Envoi de la demande"
          disabled={words.length > REQUEST_MESSAGE_MAX_LENGTH}
          onClick={() => request.mutate(input)}
        >
          Envoyer la demande
        </Button>
      }
    >
      <div className="mt-3 flex flex-col gap-5">
        <TypeChoice name="type" value={type} onChange={setType} />
        <MessageField value={message} onChange={setMessage} />
        {request.error && !isUnverifiedSender(request.error) && (
          <Notice tone="error">
            {errorSentence(request.error, "Erreur lors de l'envoi de la demande")}
          </Notice>
        )}
        <UnverifiedDialog
          pseudo={pseudo}
          error={request.error}
          onConfirm={() => request.mutate({ ...input, confirm: true })}
          onClose={request.reset}
        />
      </div>
    </Dialog>
  )
}
