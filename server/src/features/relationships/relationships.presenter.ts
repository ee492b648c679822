import type { ReceivedRequest, Relationship, SentRequest } from '#contract/relationships.ts'
import type { PersonRow, RelationshipRow } from './relationships.repository.ts'
import type { SeenRequest } from './requests.service.ts'

type Status = ReceivedRequest['status']

/** A relationship as `userId` sees it: the other one is the related person. */
export function presentRelationship(
  userId: string,
  { person, ...relationship }: RelationshipRow & { person: PersonRow },
): Relationship {
  return {
    id: relationship.id,
    user_id: userId,
    related_user_id: person.id,
    related_pseudo: person.pseudo,
    related_user: presentTied(person),
    relationship_type: relationship.type,
    status: 'accepted',
    created_at: relationship.createdAt.toISOString(),
  }
}

/** Whoever asks lets the other one see their address; not the other way round. */
export function presentReceived(request: SeenRequest, status: Status): ReceivedRequest {
  return { ...presentRequest(request, status), sender: presentTied(request.person) }
}

export function presentSent(request: SeenRequest, status: Status): SentRequest {
  return { ...presentRequest(request, status), receiver: presentSomebody(request.person) }
}

export function presentSomebody({ id, pseudo, avatarUrl }: Omit<PersonRow, 'email'>) {
  return { id, pseudo, avatar_url: avatarUrl }
}

function presentTied(person: PersonRow) {
  return { ...presentSomebody(person), email: person.email, email_verified: person.email !== null }
}

function presentRequest(request: SeenRequest, status: Status) {
  return {
    id: request.id,
    sender_id: request.senderId,
    receiver_id: request.receiverId,
    type: request.type,
    status,
    message: request.message,
    created_at: request.createdAt.toISOString(),
  }
}
