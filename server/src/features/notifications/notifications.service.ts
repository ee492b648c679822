import { RELATIONSHIP_TYPES } from '#contract/relationships.ts'
import { type AppContext, type HookEvents, inTransaction } from '#server/context.ts'
import { canViewEnvelope, isRevealed } from '#server/features/access/access.rules.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { tellOfReveal, tellOfSealing } from './notifications.jobs.ts'
import {
  findTold,
  type Listeners,
  listListeners,
  listTold,
  lockTellingOf,
  type Told,
} from './notifications.repository.ts'

const BATCH_SIZE = 500
const AN_HOUR_MS = 3_600_000
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'

/** On `onSealed`: the people close to the author are mailed later, by the gate as it stands then. */
export async function enqueueSealedNotifications(
  tx: AppContext,
  { revelationId }: HookEvents['onSealed'],
): Promise<void> {
  await tx.jobs.enqueue(tellOfSealing, { revelationId })
}

/** On `onRevealed`: the people close to the authors are mailed that these are open. */
export async function enqueueRevealNotifications(
  tx: AppContext,
  { deliveryIds }: HookEvents['onRevealed'],
): Promise<void> {
  const told = await listTold(tx.db, deliveryIds)
  await tx.jobs.enqueueAll(
    tellOfReveal,
    told.map((revelationId) => ({ revelationId })),
  )
}

/** On `onRestored`: the same for one that opened while nobody saw it. */
export async function enqueueRestoredNotifications(
  tx: AppContext,
  { revelationId, isNews }: HookEvents['onRestored'],
): Promise<void> {
  if (isNews) await tx.jobs.enqueue(tellOfReveal, { revelationId })
}

/** A new revelation, to those whom its audience lets know of it; one mail an hour from the same author to the same person. */
export async function tellOfNewRevelation(ctx: AppContext, revelationId: string): Promise<void> {
  const told = await findTold(ctx.db, revelationId)
  // Open already: that is told by itself.
  if (!told || isRevealed(told, ctx.now())) return
  await tellTies(ctx, told, {
    template: 'new-revelation',
    preference: 'newRevelations',
    types: audienceOf(told, ctx.now()),
    tiedBefore: told.createdAt,
    quietSince: new Date(ctx.now().getTime() - AN_HOUR_MS),
    isAddresseeTold: true,
  })
}

/** An open revelation, to those who may read it and were tied to its author by then. */
export async function tellOfOpenRevelation(ctx: AppContext, revelationId: string): Promise<void> {
  const told = await findTold(ctx.db, revelationId)
  if (!told) return
  if (!isRevealed(told, ctx.now())) throw new Error('Not open yet by the clock of this machine')
  await tellTies(ctx, told, {
    template: 'revelation-revealed',
    preference: 'revelationRevealed',
    types: audienceOf(told, ctx.now()),
    tiedBefore: told.revealAt,
    quietSince: null,
    isAddresseeTold: false,
  })
}

/** Which ties let somebody know of it: the gate’s own answer. */
function audienceOf(told: Told, now: Date) {
  const sealed = { ...told, isRecipientNotified: false, isSecondNotified: false }
  const unaddressed = { isAuthor: false, isRecipient: false, isSecondRecipient: false }
  return RELATIONSHIP_TYPES.filter((relationship) =>
    canViewEnvelope({ ...unaddressed, relationship }, sealed, now),
  )
}

/** Queues the mails a batch per transaction. Begun again, it goes on with those who have none yet. */
async function tellTies(ctx: AppContext, told: Told, listeners: Listeners): Promise<void> {
  if (listeners.types.length === 0) return
  let after = BEFORE_ALL_IDS
  let wasFull = true
  while (wasFull) {
    const page = { after, limit: BATCH_SIZE }
    const people = await inTransaction(ctx, async (tx) => {
      await lockTellingOf(tx.db, told.authorId)
      const people = await listListeners(tx.db, told, listeners, page)
      const mails = people.map((recipientId) => ({
        subjectId: told.id,
        recipientId,
        senderId: told.authorId,
      }))
      await enqueueMails(tx, listeners.template, mails)
      return people
    })
    after = people.at(-1) ?? after
    wasFull = people.length === BATCH_SIZE
    ctx.stopping.throwIfAborted()
  }
}
