import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { grantLinkPreview, grantPreview } from '#server/features/access/grants.service.ts'
import type { MediaAccess, MediaGate } from '#server/features/access/media-gate.service.ts'
import { findKeyHolderByName } from '#server/features/access/personal-keys.service.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import { etagOf, isUnmodified } from '#server/http/requests.ts'
import { type ByteRange, parseRange } from '#server/platform/media-tools/plain-source.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { coversOriginal, type ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { sendOpened } from '#server/platform/sealing/stored-file.ts'
import { parseTicket, signTicket, type Ticket } from '#server/platform/sealing/tickets.ts'
import { ObjectMissing } from '#server/platform/storage/storage.ts'
import { openFacts, openLetterKey, openTeaserKey, plainFileOf } from './file-keys.service.ts'
import {
  type AddressedVariant,
  copyName,
  downloadName,
  formatAttachment,
  type NamedFile,
  readAddress,
  urlOf,
} from './file-names.rules.ts'
import {
  findMedia,
  findObject,
  isStillStored,
  type MediaRow,
  type ObjectRow,
} from './media.repository.ts'
import { type MediaPart, type MediaVariant, partOf } from './media.rules.ts'

const TICKET_ROUND_MS = 5 * 60 * 1000

/**
 * A ticket to one variant of one file, for 5 to 10 minutes. Tickets expire on a whole five minutes, so that a page that
 * is loaded again meanwhile gets the same address and the browser uses its cache.
 */
export function createTicket(
  ctx: AppContext,
  mediaId: string,
  variant: string,
  holder: string,
): string {
  const expiresAt = new Date((ticketRoundOf(ctx.now()) + 1) * TICKET_ROUND_MS)
  return signTicket(ticketSecret(ctx), { item: mediaId, variant, holder, expiresAt })
}

/** Within a round, the same holder gets the same tickets. */
export function ticketRoundOf(now: Date): number {
  return Math.ceil(now.getTime() / TICKET_ROUND_MS)
}

/** The ready-to-use address of a variant. */
export function ticketedUrl(
  ctx: AppContext,
  file: NamedFile,
  variant: AddressedVariant,
  holder: string,
): string {
  return `${urlOf(file, variant)}?token=${createTicket(ctx, file.id, variant, holder)}`
}

/** JSON that is the same for everybody but for the tickets in it, each of which stands between two pieces of its bytes. */
export interface TicketedJson {
  pieces: readonly Uint8Array[]
  tickets: readonly Pick<Ticket, 'item' | 'variant'>[]
}

/** Only what is an address of ours from its first character: authors write addresses too, and would be sent tickets by them. */
const TICKETED =
  /"(?:\w*url|thumbnail\w*)":"\/api\/(?:secure-file|thumbnail|audio)\/[^"?]+\?token=([\w.-]+)/g

export function splitAtTickets(ctx: AppContext, json: string): TicketedJson {
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  const tickets: { item: string; variant: string }[] = []
  let start = 0
  for (const { 0: address, 1: text = '', index } of json.matchAll(TICKETED)) {
    const ticket = parseTicket(ticketSecret(ctx), text)
    if (!ticket) continue
    const end = index + address.length
    pieces.push(encoder.encode(json.slice(start, end - text.length)))
    tickets.push({ item: ticket.item, variant: ticket.variant })
    start = end
  }
  return { pieces: [...pieces, encoder.encode(json.slice(start))], tickets }
}

/** The JSON with tickets for this holder. */
export function ticketedFor(ctx: AppContext, json: TicketedJson, holder: string): Buffer {
  const { pieces, tickets } = json
  const parts = pieces.flatMap((piece, at) => {
    const ticket = tickets[at - 1]
    if (!ticket) return [piece]
    return [Buffer.from(createTicket(ctx, ticket.item, ticket.variant, holder)), piece]
  })
  return Buffer.concat(parts)
}

/** The holder that a ticket names; `ticket_expired` unless it is unexpired and for this very variant. */
export function requireTicket(
  ctx: AppContext,
  ticket: unknown,
  mediaId: string,
  variant: string,
): string {
  const read = typeof ticket === 'string' ? parseTicket(ticketSecret(ctx), ticket) : undefined
  const isRight = read?.item === mediaId && read.variant === variant
  if (!isRight || read.expiresAt <= ctx.now()) throw new AppError('ticket_expired')
  return read.holder
}

function ticketSecret(ctx: AppContext): Buffer {
  return ctx.keyring.secretFor('media-tickets')
}

/** The access of the holder of a ticket to a part of a file now. Only its sender may have an unused file. */
async function getMediaAccess(
  ctx: AppContext,
  gates: readonly MediaGate[],
  media: MediaRow,
  part: MediaPart,
  holder: string,
): Promise<MediaAccess> {
  if (media.attachedAt === null) {
    const right = await grantSender(ctx, media, holder)
    return { isAllowed: right !== undefined, right }
  }
  for (const gate of gates) {
    const answer = await gate(ctx, { mediaId: media.id, part, holder })
    if (answer !== undefined) return answer
  }
  return { isAllowed: false }
}

async function grantSender(
  ctx: AppContext,
  media: MediaRow,
  holder: string,
): Promise<ReadingRight | undefined> {
  const [kind, name = ''] = holder.split(':', 2)
  if (kind === 'session') return grantPreview((await findActorBySession(ctx, name))?.userId, media)
  if (kind === 'key') return grantLinkPreview(await findKeyHolderByName(ctx, name), media)
  return undefined
}

const CACHE_SECONDS = 300

/** Answers the address of a file: checks its ticket, then the gate, then sends the bytes. */
export async function sendByAddress(
  ctx: AppContext,
  gates: readonly MediaGate[],
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, name, ticket, download }: FileAddress,
): Promise<FastifyReply> {
  const address = readAddress(folder, name)
  // An impossible name answers the same: without a ticket, nothing shows whether a file exists.
  if (!address) throw new AppError('ticket_expired')
  const { mediaId, variant, extension } = address
  const holder = requireTicket(ctx, ticket, mediaId, variant)
  const file = await findFile(ctx, mediaId, variant)
  const { media } = file
  if (isAsSent(variant) && media.extension !== extension) throw notFound()
  const access = await getMediaAccess(ctx, gates, media, partOf(variant), holder)
  const { isAllowed, right } = access
  if (!isAllowed) throw notFound()
  const isAuthors = variant === 'original' && media.kind === 'image'
  const isForEverybody = !isAuthors && (access.isForEverybody ?? false)
  return send(ctx, request, reply, file, { mediaId, variant, right, download, isForEverybody })
}

interface StoredVariant {
  media: MediaRow
  object: ObjectRow
}

/** `not_found` when there is no such variant (yet). */
async function findFile(
  ctx: AppContext,
  mediaId: string,
  variant: MediaVariant,
): Promise<StoredVariant> {
  const [media, object] = await Promise.all([
    findMedia(ctx.db, mediaId),
    findObject(ctx.db, mediaId, variant),
  ])
  if (!media || !object || media.state === 'receiving') throw notFound()
  return { media, object }
}

interface FileAddress {
  folder: string
  name: string
  ticket: unknown
  download: boolean
}

export interface SentMedia {
  mediaId: string
  variant: MediaVariant
  /** Covers this file; without it only the teaser and its picture are sent. */
  right: ReadingRight | undefined
  /** Whether to offer it for saving, under its true name. */
  download: boolean
  /** Whether everybody may see it now, so that a browser may cache it. */
  isForEverybody: boolean
}

/** Sends a file or the part of it that `Range` names; `not_found` when there is no such variant (yet). */
export async function sendMedia(
  ctx: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: SentMedia,
): Promise<FastifyReply> {
  const file = await findFile(ctx, sent.mediaId, sent.variant)
  return send(ctx, request, reply, file, sent)
}

async function send(
  ctx: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { media, object }: StoredVariant,
  sent: SentMedia,
): Promise<FastifyReply> {
  // Whatever the ticket says: it names a holder, and the right is theirs now.
  if (sent.variant === 'original' && formFor(sent.right, media) !== 'original') throw notFound()
  const key = openKey(ctx, media, sent)
  // From the place of the bytes, never from the bytes: an etag shows nothing of the content.
  const etag = etagOf(`etag/${object.storageKey}`)
  reply.headers({
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': sent.isForEverybody
      ? `private, max-age=${CACHE_SECONDS}`
      : 'private, no-store',
    etag,
  })
  if (sent.download || media.kind === 'document') {
    reply.header('content-disposition', dispositionOf(media, object, key, sent.right))
  }
  if (isUnmodified(request, etag)) return reply.code(304).send()
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
  // Past Fastify, which would leave the memory of sent chunks to the garbage collector.
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

/** Of a picture its author has the original, and everybody else the copy; other files are for all as they were sent. */
export function formFor(
  right: ReadingRight | undefined,
  { id, kind }: Pick<MediaRow, 'id' | 'kind'>,
): 'original' | 'copy' {
  return kind !== 'image' || coversOriginal(right, id) ? 'original' : 'copy'
}

function dispositionOf(
  media: MediaRow,
  object: ObjectRow,
  key: DataKey,
  right: ReadingRight | undefined,
): string {
  const extension = isAsSent(object.variant) ? media.extension : extensionOf(object.mimeType)
  // The name belongs to the letter: parts of the envelope have none.
  if (partOf(object.variant) === 'envelope') return formatAttachment(`teaser.${extension}`)
  const { name } = openFacts(key, media)
  const shown = formFor(right, media) === 'copy' ? copyName(name, media.extension) : name
  return formatAttachment(downloadName(shown, extension))
}

/** Whether a variant has the bytes that were sent, hence their extension. */
function isAsSent(variant: MediaVariant): boolean {
  return variant === 'original' || variant === 'seekable'
}

function extensionOf(mimeType: string): string {
  const extensions: Record<string, string> = {
    'video/mp4': 'mp4',
    'audio/mp4': 'm4a',
    'image/webp': 'webp',
    'image/jpeg': 'jpg',
    'image/png': 'png',
    'image/gif': 'gif',
  }
  return extensions[mimeType] ?? 'bin'
}

/** The whole file when the browser has a part of an older one. */
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
    const { mediaId, variant } = object
    if (await isStillStored(ctx.db, object)) {
      ctx.log.error({ mediaId, variant }, 'stored bytes are missing')
    }
    throw notFound()
  }
}
