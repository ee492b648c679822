import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { parseTicket, signTicket } from '#server/platform/sealing/tickets.ts'

const LINK_MS = 10 * 60_000
const VARIANT = 'export'

/** An address for a browser, which sends no header when it saves a file: for this session, for ten minutes. */
export function exportLinkFor(ctx: AppContext, { userId, sessionId }: Actor): string {
  const expiresAt = new Date(ctx.now().getTime() + LINK_MS)
  const ticket = { item: userId, variant: VARIANT, holder: sessionId, expiresAt }
  return `/api/auth/export?format=zip&token=${signTicket(secretOf(ctx), ticket)}`
}

/** Whose export an address opens; `ticket_expired` once its time is over or its session ended. */
export async function actorOfLink(ctx: AppContext, text: string): Promise<Actor> {
  const ticket = parseTicket(secretOf(ctx), text)
  const isAlive = ticket?.variant === VARIANT && ticket.expiresAt > ctx.now()
  const actor = isAlive ? await findActorBySession(ctx, ticket.holder) : undefined
  if (!actor || actor.userId !== ticket?.item) throw new AppError('ticket_expired')
  return actor
}

function secretOf(ctx: AppContext): Buffer {
  return ctx.keyring.secretFor('export-links')
}
