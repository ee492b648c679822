import type { ProfileStats, PublicUser, Standing } from '#contract/profiles.ts'
import type { PublicRow } from './people.repository.ts'
import type { SeenPerson } from './people.service.ts'

export function presentPublicUser(user: PublicRow): PublicUser {
  return {
    id: user.id,
    pseudo: user.pseudo,
    avatar_url: user.avatarUrl,
    bio: user.bio,
    location: user.location,
    website: user.website,
    email_verified: user.emailVerifiedAt !== null,
    created_at: user.createdAt.toISOString(),
  }
}

export function presentStats({ figures, record }: SeenPerson): ProfileStats {
  return {
    total_revelations: figures.total,
    revealed_revelations: figures.revealed,
    pending_revelations: figures.total - figures.revealed,
    total_reactions: figures.reactions,
    total_comments: figures.comments,
    total_views: figures.views,
    record,
  }
}

export function presentStanding({ user, standing }: SeenPerson): Standing {
  if (!standing) return null
  const { relationship, request } = standing
  return {
    relationship: relationship ? { id: relationship.id, type: relationship.type } : null,
    request: request
      ? {
          id: request.id,
          type: request.type,
          direction: request.senderId === user.id ? 'received' : 'sent',
        }
      : null,
  }
}
