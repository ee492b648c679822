import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import type { PublicUser } from '#contract/profiles.ts'
import { REQUEST_MESSAGE_MAX_LENGTH, type RelationshipType } from '#contract/relationships.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { AnswerButtons } from './answer-buttons.tsx'
import { PersonRow } from './person-row.tsx'
import { announceAsked } from './relationship-toasts.ts'
import { UNVERIFIED } from './relationship-words.ts'
import { relationshipsQuery, requestsQuery, useAskRelationship } from './relationships.queries.ts'
import { TypeBadge } from './type-badge.tsx'
import { isUnverifiedSender, UnverifiedDialog } from './unverified-dialog.tsx'

interface FoundPersonProps {
  person: PublicUser
  type: RelationshipType
  message: string
}

/** Somebody the search found, with what is possible between us. */
export function FoundPerson({ person, type, message }: FoundPersonProps) {
  const { data: relationships = [] } = useQuery(relationshipsQuery)
  const { data: requests } = useQuery(requestsQuery)
  const ask = useAskRelationship(({ relationship }) => announceAsked(person.pseudo, relationship))
  const tie = relationships.find(({ related_user }) => related_user.id === person.id)
  const received = requests?.received.find(({ sender_id }) => sender_id === person.id)
  const isAsked = requests?.sent.some(({ receiver_id }) => receiver_id === person.id)
  const words = message.trim()
  const input = { receiver_id: person.id, type, ...(words && { message: words }) }
  return (
    <PersonRow
      person={person}
      badge={tie && <TypeBadge type={tie.relationship_type} />}
      details={[
        ...(person.location ? [person.location] : []),
        ...(person.email_verified ? [] : [UNVERIFIED]),
      ]}
      actions={
        tie ? null : received ? (
          <AnswerButtons request={received} pseudo={person.pseudo} />
        ) : isAsked ? (
          <span className="text-ink-soft text-sm">Demande envoyée</span>
        ) : (
          <>
            <Button
              icon={<UserPlus aria-hidden="true" className="size-5 max-sm:hidden" />}
              busy={ask.isPending}
              aria-label={`Ajouter @${person.pseudo}`}
              disabled={words.length > REQUEST_MESSAGE_MAX_LENGTH}
              onClick={() => ask.mutate(input)}
            >
              Ajouter
            </Button>
            <UnverifiedDialog
              pseudo={person.pseudo}
              error={ask.error}
              onConfirm={() => ask.mutate({ ...input, confirm: true })}
              onClose={ask.reset}
            />
          </>
        )
      }
      below={
        ask.error &&
        !isUnverifiedSender(ask.error) && (
          <Notice tone="error">
            {errorSentence(ask.error, "Erreur lors de l'envoi de la demande")}
          </Notice>
        )
      }
    />
  )
}
