import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { MediaGate } from '#server/features/access/media-gate.service.ts'
import { etagOf, hasAlready } from '#server/http/etags.ts'
import { type ByteRange, parseRange } from '#server/platform/media-tools/plain-source.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { sendOpened } from '#server/platform/sealing/send-opened.ts'
import { ObjectMissing } from '#server/platform/storage/storage.ts'
import { findMedia, findObject, type MediaRow, type ObjectRow } from './media.repository.ts'
import { type MediaVariant, partOf } from './media.rules.ts'
import { getMediaAccess } from './media.service.ts'
import { openFacts, openLetterKey, openTeaserKey, plainFileOf } from './media-keys.service.ts'
import { attachmentNamed, downloadName, readAddress } from './media-names.rules.ts'
import { requireTicket } from './media-tickets.service.ts'

export interface SentMedia {
  mediaId: string
  variant: MediaVariant
  /** Covers this file; without it only the teaser and its picture are sent. */
  right: ReadingRight | undefined
  /** Whether to offer it for saving, under its true name. */
  download: boolean
  /** Whether everybody may see it now, so that a browser may keep it for a while. */
  isForEverybody: boolean
}

const KEPT_SECONDS = 300
const VISITOR_HOLDER = 'visitor'

/** Answers the address of a file: its ticket first, then the gate, then the bytes. */
export async function answerAddress(
  ctx: AppContext,
  gates: readonly MediaGate[],
  request: FastifyRequest,
  reply: FastifyReply,
  asked: { folder: string; name: string; ticket: unknown; download: boolean },
): Promise<FastifyReply> {
  const address = readAddress(asked.folder, asked.name)
  // The same for a name that cannot be: nothing is told to who holds no ticket.
  if (!address) throw new AppError('ticket_expired')
  const { mediaId, variant, extension } = address
  const holder = requireTicket(ctx, asked.ticket, mediaId, variant)
  const media = await findMedia(ctx.db, mediaId)
  if (!media || (isAsSent(variant) && media.extension !== extension)) throw notFound()
  const part = partOf(variant)
  const { isAllowed, right } = await getMediaAccess(ctx, gates, media, part, holder)
  if (!isAllowed) throw notFound()
  const isForEverybody =
    holder === VISITOR_HOLDER ||
    (await getMediaAccess(ctx, gates, media, part, VISITOR_HOLDER)).isAllowed
  const { download } = asked
  return send(ctx, request, reply, media, { mediaId, variant, right, download, isForEverybody })
}

/** Sends a file or the part of it that `Range` asks for; `not_found` when there is no such variant (yet). */
export async function sendMedia(
  ctx: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: SentMedia,
): Promise<FastifyReply> {
  const media = await findMedia(ctx.db, sent.mediaId)
  if (!media) throw notFound()
  return send(ctx, request, reply, media, sent)
}

async function send(
  ctx: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  media: MediaRow,
  sent: SentMedia,
): Promise<FastifyReply> {
  const object = await findObject(ctx.db, media.id, sent.variant)
  if (!object || media.state === 'receiving') throw notFound()
  const key = openKey(ctx, media, sent)
  // Made from where the bytes are, never from what they are: it tells nothing of the content.
  const etag = etagOf(`etag/${object.storageKey}`)
  reply.headers({
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': sent.isForEverybody ? `private, max-age=${KEPT_SECONDS}` : 'private, no-store',
    etag,
  })
  if (sent.download || media.kind === 'document') {
    reply.header('content-disposition', dispositionOf(media, object, key))
  }
  if (hasAlready(request, etag)) return reply.code(304).send()
  const range = rangeOf(request, object, etag)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${object.sizeBytes}`)
    reply.removeHeader('content-disposition').removeHeader('etag')
    throw new AppError('range_not_satisfiable')
  }
  const { start, end } = range ?? { start: 0, end: object.sizeBytes - 1 }
  reply.type(object.mimeType).header('content-length', end - start + 1)
  if (range) {
    reply.code(206).header('content-range', `bytes ${start}-${end}/${object.sizeBytes}`)
  }
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const bytes = await openBytes(ctx, key, object, { start, end })
  // Past Fastify, which would leave the memory of what it sent to the garbage collector.
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  sendOpened(bytes, reply.raw).catch((error) =>
    ctx.log.error({ err: error, mediaId: media.id }, 'a stored file cannot be read to its end'),
  )
  return reply
}

function openKey(ctx: AppContext, media: MediaRow, { variant, right }: SentMedia): DataKey {
  if (partOf(variant) === 'envelope') return openTeaserKey(ctx, media)
  if (!right) throw notFound()
  return openLetterKey(ctx, right, media)
}

function dispositionOf(media: MediaRow, object: ObjectRow, key: DataKey): string {
  const extension = isAsSent(object.variant) ? media.extension : extensionOf(object.mimeType)
  // The name belongs to the letter: what goes with the envelope has none.
  if (partOf(object.variant) === 'envelope') return attachmentNamed(`teaser.${extension}`)
  return attachmentNamed(downloadName(openFacts(key, media).name, extension))
}

/** Whether a variant holds what was sent, hence under the extension it was sent with. */
function isAsSent(variant: MediaVariant): boolean {
  return variant === 'original' || variant === 'seekable'
}

function extensionOf(mimeType: string): string {
  return { 'video/mp4': 'mp4', 'audio/mp4': 'm4a', 'image/webp': 'webp' }[mimeType] ?? 'bin'
}

/** The whole file when what the browser has of it is no longer ours. */
function rangeOf(request: FastifyRequest, object: ObjectRow, etag: string) {
  const condition = request.headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  return parseRange(request.headers.range, object.sizeBytes)
}

async function openBytes(
  ctx: AppContext,
  key: DataKey,
  object: ObjectRow,
  range: ByteRange,
): Promise<Readable> {
  try {
    return await plainFileOf(ctx, key, object).read(range)
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
    ctx.log.error({ mediaId: object.mediaId, variant: object.variant }, 'stored bytes are missing')
    throw notFound()
  }
}
