import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/exports.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { requireEnvelope } from '#server/features/access/envelopes.service.ts'
import { requireReadable, ticketHolderOf } from '#server/features/access/media-gate.service.ts'
import { viewerOf } from '#server/features/access/viewers.service.ts'
import { getUser } from '#server/features/auth/auth.service.ts'
import { type Actor, actorOf, requireActor } from '#server/features/auth/auth.session.ts'
import { formatAttachment } from '#server/features/media/file-names.rules.ts'
import { rateLimit, rateLimitByCaller } from '#server/http/rate-limits.ts'
import { createZipArchive, type ZipArchive } from '#server/platform/archives/zip-archive.ts'
import { sendOpened } from '#server/platform/sealing/stored-file.ts'
import { fillArchive } from './archives.service.ts'
import { letterArchiveName } from './exports.rules.ts'
import { actorOfLink, exportLinkFor, writeJson } from './exports.service.ts'
import { fillLetterArchive, holderOfLink, letterLinkFor } from './letter-archive.service.ts'

/** A ticket carries no session: what an address downloads counts for the network of its browser. */
const LETTERS_PER_HOUR = { account: 30, network: 120 }

function writeHeaders(reply: FastifyReply, fileName: string): void {
  reply.headers({
    'cache-control': 'private, no-store',
    'content-disposition': formatAttachment(fileName),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
}

export function exportRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    /** The accounts whose export runs: each reads all that a person has. */
    const running = new Set<string>()

    async function requireExporter(
      request: FastifyRequest,
      token: string | undefined,
    ): Promise<Actor> {
      const actor = actorOf(request)
      return actor || token === undefined ? requireActor(request) : actorOfLink(ctx, token)
    }

    app.route({
      ...endpoints.exportAccount,
      config: rateLimit(30, '1 hour'),
      handler: async (request, reply) => {
        const { format = 'json', token } = request.query
        const actor = await requireExporter(request, token)
        // Sorting all that a person has takes room, too.
        await ctx.disk.require()
        const { pseudo } = await getUser(ctx, actor.userId)
        writeHeaders(reply, `${endpoints.exportName(pseudo, ctx.now())}.${format}`)
        reply.type(format === 'zip' ? 'application/zip' : 'application/json; charset=utf-8')
        if (request.method === 'HEAD') return reply.send('')
        if (running.has(actor.userId)) {
          reply.removeHeader('content-disposition').removeHeader('content-type')
          throw alreadyRunning()
        }
        running.add(actor.userId)
        if (format === 'zip') {
          return sendZip(
            reply,
            (archive) => fillArchive(ctx, actor, archive),
            () => running.delete(actor.userId),
          )
        }
        const json = Readable.from(writeJson(ctx, actor), { objectMode: false })
        json.once('close', () => running.delete(actor.userId))
        return reply.send(json)
      },
    })

    /** Past Fastify, like every file: the memory of what is sent is given back at once. */
    function sendZip(
      reply: FastifyReply,
      fill: (archive: ZipArchive) => Promise<void>,
      onClose?: () => void,
    ): FastifyReply {
      const archive = createZipArchive()
      const stop = () => archive.abandon(new Error('The program is stopping'))
      ctx.stopping.addEventListener('abort', stop, { once: true })
      archive.output.once('close', () => {
        onClose?.()
        ctx.stopping.removeEventListener('abort', stop)
      })
      reply.hijack()
      reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
      const filling = fill(archive).catch((error) => archive.abandon(error))
      Promise.all([sendOpened(archive.output, reply.raw), filling]).catch((error) =>
        ctx.log.error({ err: error }, 'an export broke off'),
      )
      return reply
    }

    app.route({
      ...endpoints.createExportLink,
      handler: async (request) => {
        const actor = requireActor(request)
        await ctx.disk.require()
        // A download that is refused is told to nobody: the page has to know before it begins.
        if (running.has(actor.userId)) throw alreadyRunning()
        return { url: exportLinkFor(ctx, actor) }
      },
    })

    /** The reader by their session or personal key, whom the gate lets know of this letter. */
    async function requireHolder(request: FastifyRequest, id: string): Promise<string> {
      const viewer = viewerOf(request)
      const { keyHolder, relation } = await requireEnvelope(ctx, viewer, id)
      return ticketHolderOf(viewer, keyHolder, id, relation.isAuthor)
    }

    app.route({
      ...endpoints.downloadLetter,
      config: rateLimitByCaller(LETTERS_PER_HOUR, '1 hour'),
      handler: async (request, reply) => {
        const { id } = request.params
        const { token } = request.query
        const holder =
          token === undefined ? await requireHolder(request, id) : holderOfLink(ctx, token, id)
        const readable = await requireReadable(ctx, holder, id)
        writeHeaders(reply, letterArchiveName(readable.envelope.title))
        reply.type('application/zip')
        if (request.method === 'HEAD') return reply.send('')
        return sendZip(reply, (archive) => fillLetterArchive(ctx, holder, readable, archive))
      },
    })

    app.route({
      ...endpoints.createLetterLink,
      config: rateLimitByCaller(LETTERS_PER_HOUR, '1 hour'),
      handler: async (request) => {
        const { id } = request.params
        const holder = await requireHolder(request, id)
        // A download that is refused is told to nobody: the page has to know before it begins.
        await requireReadable(ctx, holder, id)
        return { url: letterLinkFor(ctx, holder, id) }
      },
    })
  }
}

function alreadyRunning(): AppError {
  return new AppError('too_many_requests', {
    message: 'Un export de vos données est déjà en cours. Attendez qu’il soit terminé.',
    retryAfterSeconds: 60,
  })
}
