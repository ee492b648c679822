import type { Comment } from '#contract/comments.ts'
import type { SeenComment } from './comments.service.ts'

export function presentComment({ comment, canDelete }: SeenComment): Comment {
  return {
    id: comment.id,
    revelation_id: comment.revelationId,
    author_id: comment.authorId,
    author_pseudo: comment.pseudo,
    author_avatar: comment.avatarUrl,
    content: comment.content,
    created_at: comment.createdAt.toISOString(),
    can_delete: canDelete,
  }
}
