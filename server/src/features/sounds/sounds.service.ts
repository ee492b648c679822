import type { AppContext } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { circleOf } from './sound-circles.service.ts'
import { countKnownUpcoming, listKnownReveals, type SoundReveal } from './sound-lists.repository.ts'

/** The scheduled sounds the actor may know of that open, or opened, from one instant until before another. */
export async function listRevealsOfSounds(
  ctx: AppContext,
  actor: Pick<Actor, 'userId'>,
  span: { from: Date; to: Date },
): Promise<SoundReveal[]> {
  return listKnownReveals(ctx.db, await circleOf(ctx, actor.userId), span)
}

/** How many sounds the actor may know of are still sealed. */
export async function countUpcomingSounds(
  ctx: AppContext,
  actor: Pick<Actor, 'userId'>,
): Promise<number> {
  return countKnownUpcoming(ctx.db, await circleOf(ctx, actor.userId), ctx.now())
}
