import { instantInWords } from '#contract/date-in-words.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { serverNow, useCountdown, useTicking } from '#web/lib/clock.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import {
  formatRevealDelay,
  type LockedVoiceMessage,
  rowButtonId,
  type VoiceMessage,
} from './voice-message.ts'
import { useDeleteVoiceMessage } from './voice-messages.queries.ts'

interface LockedDialogProps {
  voiceMessage: LockedVoiceMessage | undefined
  onClose: () => void
}

/** Explains why a voice message cannot be played yet. */
export function LockedDialog({ voiceMessage, onClose }: LockedDialogProps) {
  return voiceMessage ? <Locked voiceMessage={voiceMessage} onClose={onClose} /> : null
}

function Locked({
  voiceMessage,
  onClose,
}: {
  voiceMessage: LockedVoiceMessage
  onClose: () => void
}) {
  const { reveal_date, time_zone, reveal_message, author_pseudo } = voiceMessage
  const when = useTicking(() => formatRevealDelay(reveal_date, time_zone, serverNow()))
  const countdown = useCountdown(reveal_date)
  const date = instantInWords(new Date(reveal_date), time_zone)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Ce message sera révélé ${when}`}
      footer={<Button onClick={onClose}>J’attendrai</Button>}
    >
      <div className="theme-night bg-voices mt-4 rounded-card px-5 py-7 text-center text-ink">
        <p className="break-words font-serif text-2xl leading-tight">{voiceMessage.title}</p>
        <p className="mt-1 text-ink-soft">@{author_pseudo}</p>
        <p aria-hidden="true" aria-live="off" className="tabular-digits mt-5 font-bold text-3xl">
          {countdown}
        </p>
        <p className="mt-1">
          Le <time dateTime={reveal_date}>{date}</time>
        </p>
      </div>
      {reveal_message && (
        <blockquote className="mt-4 whitespace-pre-line break-words border-wax-ink border-l-3 pl-4 text-lg">
          {reveal_message}
        </blockquote>
      )}
    </Dialog>
  )
}

interface DeleteVoiceMessageDialogProps {
  voiceMessage: VoiceMessage | undefined
  onClose: () => void
  /** Called while the list still has the voice message. */
  onDeleted: (id: string) => void
}

export function DeleteVoiceMessageDialog({
  voiceMessage,
  onClose,
  onDeleted,
}: DeleteVoiceMessageDialogProps) {
  const deletion = useDeleteVoiceMessage((id) => {
    onDeleted(id)
    onClose()
  })
  const { error } = deletion
  return (
    <ConfirmDialog
      open={voiceMessage !== undefined}
      onOpenChange={() => {
        deletion.reset()
        onClose()
      }}
      title="Êtes-vous sûr de vouloir supprimer ce son ?"
      description={`«\u202F${voiceMessage?.title ?? ''}\u202F» disparaîtra pour tout le monde, avec son fichier.`}
      confirmLabel="Supprimer"
      busy={deletion.isPending}
      error={
        error
          ? `Erreur lors de la suppression: ${errorSentence(error, 'réessayez dans un instant')}`
          : undefined
      }
      onConfirm={() => voiceMessage && deletion.mutate(voiceMessage.id)}
      returnTo={() =>
        voiceMessage && !document.getElementById(rowButtonId(voiceMessage.id))
          ? document.querySelector<HTMLElement>('[data-row] button')
          : null
      }
    />
  )
}
