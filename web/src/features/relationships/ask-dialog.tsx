import { Send } from 'lucide-react'
import { useState } from 'react'
import { REQUEST_MESSAGE_MAX_LENGTH, type RelationshipType } from '#contract/relationships.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { MessageField } from './message-field.tsx'
import { announceAsked } from './relationship-toasts.ts'
import { useAskRelationship } from './relationships.queries.ts'
import { TypeChoice } from './type-choice.tsx'
import { isUnverifiedSender, UnverifiedDialog } from './unverified-dialog.tsx'

interface AskDialogProps {
  personId: string
  pseudo: string
  onClose: () => void
}

/** Asks one person, from their profile. */
export function AskDialog({ personId, pseudo, onClose }: AskDialogProps) {
  const [type, setType] = useState<RelationshipType>('friend')
  const [message, setMessage] = useState('')
  const words = message.trim()
  const ask = useAskRelationship(({ relationship }) => {
    onClose()
    announceAsked(pseudo, relationship)
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
          busy={ask.isPending}
          busyLabel="Envoi de la demande"
          disabled={words.length > REQUEST_MESSAGE_MAX_LENGTH}
          onClick={() => ask.mutate(input)}
        >
          Envoyer la demande
        </Button>
      }
    >
      <div className="mt-3 flex flex-col gap-5">
        <TypeChoice name="type" value={type} onChange={setType} />
        <MessageField value={message} onChange={setMessage} />
        {ask.error && !isUnverifiedSender(ask.error) && (
          <Notice tone="error">
            {errorSentence(ask.error, "Erreur lors de l'envoi de la demande")}
          </Notice>
        )}
        <UnverifiedDialog
          pseudo={pseudo}
          error={ask.error}
          onConfirm={() => ask.mutate({ ...input, confirm: true })}
          onClose={ask.reset}
        />
      </div>
    </Dialog>
  )
}
