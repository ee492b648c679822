import type { AppContext } from '#server/context.ts'
import { findLastReason, insertAct } from './audit.repository.ts'

/** What an operator does to what is not theirs, and why. */
export interface Act {
  operator: string
  action:
    | 'hide'
    | 'restore'
    | 'close'
    | 'open_letter'
    | 'check_seals'
    | 'grant_plan'
    | 'rotate_log_key'
  target: 'revelation' | 'comment' | 'profile' | 'reply' | 'report' | 'installation' | 'account'
  targetId: string
  reason: string
}

/** Writes it down, in the transaction that does it. */
export async function recordAct(ctx: AppContext, act: Act): Promise<void> {
  await insertAct(ctx.db, { ...act, at: ctx.now() })
}

/** Why this was done to it the last time. */
export async function lastReason(
  ctx: AppContext,
  targetId: string,
  action: Act['action'],
): Promise<string | undefined> {
  return findLastReason(ctx.db, targetId, action)
}
