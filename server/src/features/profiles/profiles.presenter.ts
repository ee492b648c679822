import type { Standing } from '#contract/profiles.ts'
import type { SeenPerson } from './people.service.ts'

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
