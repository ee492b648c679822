import type { AppContext } from '#server/context.ts'
import { listActiveSessions } from './auth.repository.ts'
import type { Actor } from './auth.session.ts'

/** The actors of those of these sessions that still live, by session. Asking does not make them live longer. */
export async function findActiveActors(
  ctx: AppContext,
  sessionIds: readonly string[],
): Promise<Map<string, Actor>> {
  const actors = new Map<string, Actor>()
  if (sessionIds.length === 0) return actors
  for (const session of await listActiveSessions(ctx.db, sessionIds, ctx.now())) {
    const { id, userId, emailKey, emailVerifiedAt } = session
    const verifiedEmailKey = emailVerifiedAt ? emailKey : null
    actors.set(id, { userId, sessionId: id, verifiedEmailKey })
  }
  return actors
}
