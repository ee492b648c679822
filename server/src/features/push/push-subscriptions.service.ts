import { createHmac } from 'node:crypto'
import type { PushSubscriptionInput } from '#contract/push.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import {
  getVapidKeys,
  isPublicKey,
  isPushServiceUrl,
  type PushTarget,
} from '#server/platform/push/web-push.ts'
import { openToken, sealToken } from '#server/platform/sealing/sealed-text.ts'
import { deleteSubscription, hasSubscription, replaceSubscription } from './push.repository.ts'

const PURPOSE = 'push-subscription'

/** The key browsers subscribe with, null where pushes are off, and whether this session has subscribed. */
export async function getPushState(ctx: AppContext, { sessionId }: Actor) {
  return {
    publicKey: ctx.config.push.isOn ? getVapidKeys(ctx.keyring).publicKey : null,
    isSubscribed: ctx.config.push.isOn && (await hasSubscription(ctx.db, sessionId)),
  }
}

/** This browser gets pushes until the session ends; `unknown_push_service`. */
export async function subscribe(
  ctx: AppContext,
  { sessionId }: Actor,
  target: PushSubscriptionInput,
): Promise<void> {
  const { isOn, services } = ctx.config.push
  if (!isOn || !isPushServiceUrl(target.endpoint, services))
    throw new AppError('unknown_push_service')
  if (!isPublicKey(target.keys.p256dh)) throw new AppError('invalid_input')
  await inTransaction(ctx, (tx) =>
    replaceSubscription(tx.db, {
      sessionId,
      endpointHash: hashOf(tx, target.endpoint),
      sealed: sealToken(secretOf(tx), PURPOSE, target),
      createdAt: tx.now(),
    }),
  ).catch((error) => {
    // The session ended meanwhile.
    throw isForeignKeyViolation(error) ? new AppError('unauthenticated') : error
  })
}

export async function unsubscribe(ctx: AppContext, { sessionId }: Actor): Promise<void> {
  await deleteSubscription(ctx.db, { sessionId })
}

/** The address of a browser at its push service; undefined when it was sealed under another master key. */
export function openTarget(ctx: AppContext, sealed: string): PushTarget | undefined {
  return openToken(secretOf(ctx), PURPOSE, sealed) as PushTarget | undefined
}

function secretOf({ keyring }: AppContext): Buffer {
  return keyring.secretFor('push-subscriptions')
}

function hashOf(ctx: AppContext, endpoint: string): Buffer {
  return createHmac('sha256', secretOf(ctx)).update(endpoint).digest()
}
