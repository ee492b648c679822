import type { CircleMember, CircleReveal } from '#contract/circle.ts'
import type { Member, Reveal } from './circle.service.ts'

export function presentMember(member: Member): CircleMember {
  return {
    id: member.id,
    user_id: member.userId,
    pseudo: member.pseudo,
    avatar_url: member.avatarUrl,
    relationship_type: 'family',
    status: 'accepted',
    created_at: member.createdAt.toISOString(),
    deliveries_count: member.deliveries,
    sounds_count: member.sounds,
  }
}

export function presentReveal(reveal: Reveal): CircleReveal {
  return {
    kind: reveal.kind,
    id: reveal.id,
    title: reveal.title,
    author_id: reveal.authorId,
    author_pseudo: reveal.authorPseudo,
    reveal_date: reveal.revealAt.toISOString(),
    time_zone: reveal.timeZone,
    is_revealed: reveal.isRevealed,
  }
}
