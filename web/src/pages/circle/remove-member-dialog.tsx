import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef } from 'react'
import type { CircleMember } from '#contract/circle.ts'
import { circleMembersQuery } from '#web/features/circle/circle.queries.ts'
import { useEndRelationship } from '#web/features/relationships/relationships.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { showToast } from '#web/ui/toasts.tsx'

const FAILED = 'Erreur lors de la suppression du membre famille'

interface RemoveMemberDialogProps {
  /** Whom the question is about; closed without. */
  member: CircleMember | undefined
  onClose: () => void
  /** What has the focus once the card is gone. */
  returnTo: RefObject<HTMLElement | null>
}

export function RemoveMemberDialog({ member, onClose, returnTo }: RemoveMemberDialogProps) {
  const client = useQueryClient()
  const asked = useRef<string>(undefined)
  const remove = useEndRelationship(() => {
    client.setQueryData(circleMembersQuery.queryKey, (members) =>
      members?.filter(({ id }) => id !== member?.id),
    )
    onClose()
    showToast('success', `@${member?.pseudo} ne fait plus partie de votre cercle`)
  })
  return (
    <ConfirmDialog
      open={member !== undefined}
      onOpenChange={() => {
        remove.reset()
        onClose()
      }}
      title={`Retirer @${member?.pseudo ?? ''} de votre famille ?`}
      description="Vous ne verrez plus, l’un de l’autre, que ce qui est public. Cette personne n’en est pas avertie."
      confirmLabel="Retirer"
      busy={remove.isPending}
      error={remove.error ? sentenceOf(remove.error) : undefined}
      onConfirm={() => {
        asked.current = member?.id
        if (member) remove.mutate(member.id)
      }}
      returnTo={() => {
        const id = asked.current
        asked.current = undefined
        const members = client.getQueryData(circleMembersQuery.queryKey)
        // Nobody's menu is left to go back to.
        return id && !members?.some((known) => known.id === id) ? returnTo.current : null
      }}
    />
  )
}

/** What failed, and why when the server says it. */
function sentenceOf(error: Error): string {
  const why = errorSentence(error, '')
  return why ? `${FAILED}. ${why}` : FAILED
}
