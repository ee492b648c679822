import type { PublicRecord } from '#contract/predictions.ts'
import type { ProfileStats } from '#contract/profiles.ts'

export interface ProfileFigures {
  total: number
  revealed: number
  reactions: number
  comments: number
  views: number
}

/** The figures of a person, as profiles and exports spell them. */
export function presentStats({
  figures,
  record,
}: {
  figures: ProfileFigures
  record: PublicRecord
}): ProfileStats {
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
