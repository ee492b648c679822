import { useQuery } from '@tanstack/react-query'
import { MessageSquarePlus, UserPlus } from 'lucide-react'
import { type RefObject, useId, useState } from 'react'
import type { PublicUser } from '#contract/profiles.ts'
import { REQUEST_MESSAGE_MAX_LENGTH, type RelationshipType } from '#contract/relationships.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { useDebounced } from '#web/lib/hooks.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { AnswerButtons, isUnverifiedSender, UnverifiedDialog } from './answer-buttons.tsx'
import { PersonList, PersonRow } from './person-row.tsx'
import { MessageField, TypeChoice } from './relationship-fields.tsx'
import { announceRequested, TypeBadge, UNVERIFIED } from './relationship-types.tsx'
import {
  relationshipsQuery,
  requestsQuery,
  useRequestRelationship,
  userSearchQuery,
} from './relationships.queries.ts'

const SEARCH_DELAY_MS = 300

interface AddPanelProps {
  /** The search field, for buttons that focus it. */
  searchField: RefObject<HTMLInputElement | null>
}

export function AddPanel({ searchField }: AddPanelProps) {
  const id = useId()
  const [text, setText] = useState('')
  const [type, setType] = useState<RelationshipType>('friend')
  const [message, setMessage] = useState('')
  const [hasMessage, setHasMessage] = useState(false)
  return (
    <Panel title="Ajouter une relation">
      <div className="flex flex-col gap-5">
        <TypeChoice name={`${id}-type`} value={type} onChange={setType} />
        {hasMessage ? (
          <MessageField value={message} onChange={setMessage} />
        ) : (
          <Button
            variant="ghost"
            className="-my-3 -ml-4 self-start"
            icon={<MessageSquarePlus aria-hidden="true" className="size-5" />}
            onClick={() => setHasMessage(true)}
          >
            Joindre un message
          </Button>
        )}
        <div>
          <SearchField
            ref={searchField}
            label="Rechercher une personne"
            hint="Une partie de son pseudo, ou son adresse e-mail entière."
            autoCapitalize="none"
            spellCheck={false}
            value={text}
            onChange={setText}
          />
          <FoundPeople text={text} type={type} message={message} />
        </div>
      </div>
    </Panel>
  )
}

interface FoundPeopleProps {
  text: string
  type: RelationshipType
  message: string
}

function FoundPeople({ text, type, message }: FoundPeopleProps) {
  const q = useDebounced(text.trim(), SEARCH_DELAY_MS)
  const { data: people, error, isFetching } = useQuery(userSearchQuery(q))
  if (q === '') return null
  if (error) {
    return (
      <Notice tone="error" className="mt-3">
        {errorSentence(error, 'Erreur API')}
      </Notice>
    )
  }
  if (!people) return isFetching ? <SearchSkeleton /> : null
  if (people.length === 0) {
    return (
      <p role="status" className="mt-3 rounded-field bg-sunken px-4 py-3 text-ink-soft">
        Aucun utilisateur trouvé
        {q.includes('@') && !q.startsWith('@') && (
          <span className="mt-1 block text-sm">
            Une adresse e-mail ne trouve que la personne qui l’a vérifiée&#8239;: cherchez plutôt
            son pseudo.
          </span>
        )}
      </p>
    )
  }
  return (
    <PersonList>
      {people.map((person) => (
        <FoundPerson key={person.id} person={person} type={type} message={message} />
      ))}
    </PersonList>
  )
}

function SearchSkeleton() {
  return (
    <div role="status" className="mt-3">
      <span className="sr-only">Recherche en cours</span>
      <div aria-hidden="true" className="flex items-center gap-3 py-2">
        <Skeleton className="size-11 rounded-full!" />
        <Skeleton className="h-5 w-40" />
        <Skeleton className="ml-auto h-11 w-28 rounded-field!" />
      </div>
    </div>
  )
}

interface FoundPersonProps {
  person: PublicUser
  type: RelationshipType
  message: string
}

/** A found person, with the actions of their relation. */
function FoundPerson({ person, type, message }: FoundPersonProps) {
  const { data: relationships = [] } = useQuery(relationshipsQuery)
  const { data: requests } = useQuery(requestsQuery)
  const request = useRequestRelationship((answer) =>
    announceRequested(person.pseudo, answer.relationship),
  )
  const relationship = relationships.find(({ related_user }) => related_user.id === person.id)
  const received = requests?.received.find(({ sender_id }) => sender_id === person.id)
  const isRequested = requests?.sent.some(({ receiver_id }) => receiver_id === person.id)
  const words = message.trim()
  const input = { receiver_id: person.id, type, ...(words && { message: words }) }
  return (
    <PersonRow
      person={person}
      badge={relationship && <TypeBadge type={relationship.relationship_type} />}
      details={[
        ...(person.location ? [person.location] : []),
        ...(person.email_verified ? [] : [UNVERIFIED]),
      ]}
      actions={
        relationship ? null : received ? (
          <AnswerButtons request={received} pseudo={person.pseudo} />
        ) : isRequested ? (
          <span className="text-ink-soft text-sm">Demande envoyée</span>
        ) : (
          <>
            <Button
              icon={<UserPlus aria-hidden="true" className="size-5 max-sm:hidden" />}
              busy={request.isPending}
              aria-label={`Ajouter @${person.pseudo}`}
              disabled={words.length > REQUEST_MESSAGE_MAX_LENGTH}
              onClick={() => request.mutate(input)}
            >
              Ajouter
            </Button>
            <UnverifiedDialog
              pseudo={person.pseudo}
              error={request.error}
              onConfirm={() => request.mutate({ ...input, confirm: true })}
              onClose={request.reset}
            />
          </>
        )
      }
      below={
        request.error &&
        !isUnverifiedSender(request.error) && (
          <Notice tone="error">
            {errorSentence(request.error, "Erreur lors de l'envoi de la demande")}
          </Notice>
        )
      }
    />
  )
}
