import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { readTicket, signTicket } from '#server/platform/sealing/tickets.ts'
import { type AddressedVariant, type NamedFile, urlOf } from './media-names.rules.ts'

const STEP_MS = 5 * 60 * 1000

/**
 * A ticket to one variant of one file, for 5 to 10 minutes: its end falls on a whole five minutes, so that a
 * page that asks again meanwhile gets the same address and the browser keeps what it has.
 */
export function ticketFor(
  ctx: AppContext,
  mediaId: string,
  variant: string,
  holder: string,
): string {
  const expiresAt = new Date((ticketRoundOf(ctx.now()) + 1) * STEP_MS)
  return signTicket(secretOf(ctx), { item: mediaId, variant, holder, expiresAt })
}

/** Within a round, the same holder gets the same tickets. */
export function ticketRoundOf(now: Date): number {
  return Math.ceil(now.getTime() / STEP_MS)
}

/** The holder that a ticket names; `ticket_expired` unless it is a living one for this very variant. */
export function requireTicket(
  ctx: AppContext,
  ticket: unknown,
  mediaId: string,
  variant: string,
): string {
  const read = typeof ticket === 'string' ? readTicket(secretOf(ctx), ticket) : undefined
  const isRight = read?.item === mediaId && read.variant === variant
  if (!isRight || read.expiresAt <= ctx.now()) throw new AppError('ticket_expired')
  return read.holder
}

/** The ready-to-use address of a variant. */
export function ticketedUrl(
  ctx: AppContext,
  file: NamedFile,
  variant: AddressedVariant,
  holder: string,
): string {
  return `${urlOf(file, variant)}?token=${ticketFor(ctx, file.id, variant, holder)}`
}

function secretOf(ctx: AppContext): Buffer {
  return ctx.keyring.secretFor('media-tickets')
}
