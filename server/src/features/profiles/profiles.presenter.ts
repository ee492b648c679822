import type { ProfileStats, Standing } from '#contract/profiles.ts'
import type { SeenPerson } from './people.service.ts'

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
