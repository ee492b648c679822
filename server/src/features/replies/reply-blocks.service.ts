import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { relationsBetween } from '#server/features/relationships/relationships.service.ts'
import type { ReplyRow } from './replies.repository.ts'
import {
  deleteReplyBlock,
  insertReplyBlock,
  listAccountsAt,
  listReplyBlocks,
  type ReplyBlock,
} from './reply-blocks.repository.ts'

export type { ReplyBlock }

type Sender = Pick<ReplyRow, 'addressKey' | 'writerId'>

/** A writer as the author knows them: what refuses a reply must not betray the account behind a link. */
export function knownSenderOf({ addressKey, writerId, isNamed }: ReplyRow): Sender {
  return { addressKey, writerId: isNamed ? writerId : null }
}

/** Whom an author takes no replies from. */
export interface Refusals {
  /** Blocked here, on purpose. */
  isBlocked(sender: Sender): boolean
  /** Blocked here, or by a block between the two people, whoever made it. */
  isRefused(sender: Sender): boolean
}

/** What an author refuses of these senders; a person is known by account and by address, signed in or not. */
export async function refusalsOf(
  ctx: AppContext,
  { authorId, blocks }: { authorId: string; blocks: readonly ReplyBlock[] },
  senders: readonly Sender[],
): Promise<Refusals> {
  const keys = [...new Set(senders.map(({ addressKey }) => addressKey))]
  const accounts = new Map(
    (await listAccountsAt(ctx.db, keys)).map(({ id, emailKey }) => [emailKey, id]),
  )
  const peopleOf = ({ addressKey, writerId }: Sender) =>
    [writerId, accounts.get(addressKey)].filter((id) => typeof id === 'string')
  const people = [...new Set(senders.flatMap(peopleOf))]
  const relationOf = await relationsBetween(ctx, people, [authorId])
  const isBlocked = ({ addressKey, writerId }: Sender) =>
    blocks.some(
      (block) =>
        block.addressKey === addressKey || (writerId !== null && block.writerId === writerId),
    )
  return {
    isBlocked,
    isRefused: (sender) =>
      isBlocked(sender) || peopleOf(sender).some((id) => relationOf(id, authorId) === 'blocked'),
  }
}

/** Whether an author takes no replies from this sender. */
export async function isRefused(
  ctx: AppContext,
  authorId: string,
  sender: Sender,
): Promise<boolean> {
  const blocks = await listReplyBlocks(ctx.db, authorId)
  return (await refusalsOf(ctx, { authorId, blocks }, [sender])).isRefused(sender)
}

export async function listBlocksOf(ctx: AppContext, authorId: string): Promise<ReplyBlock[]> {
  return listReplyBlocks(ctx.db, authorId)
}

export async function blockSender(
  ctx: AppContext,
  authorId: string,
  reply: ReplyRow,
): Promise<void> {
  const block = { authorId, address: reply.address, ...knownSenderOf(reply) }
  await insertReplyBlock(ctx.db, { ...block, createdAt: ctx.now() })
}

/** Takes replies again; `not_found` for a block of somebody else. */
export async function unblockSender(
  ctx: AppContext,
  { userId }: Actor,
  blockId: string,
): Promise<void> {
  if (!(await deleteReplyBlock(ctx.db, userId, blockId))) throw notFound()
}
