import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/exports.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { getUser } from '#server/features/auth/auth.service.ts'
import { type Actor, actorOf, requireActor } from '#server/features/auth/auth.session.ts'
import { formatAttachment } from '#server/features/media/file-names.rules.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { createZipArchive } from '#server/platform/archives/zip-archive.ts'
import { sendOpened } from '#server/platform/sealing/stored-file.ts'
import { fillArchive } from './archives.service.ts'
import { actorOfLink, exportLinkFor, writeJson } from './exports.service.ts'

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
        reply.headers({
          'cache-control': 'private, no-store',
          'content-disposition': formatAttachment(
            `${endpoints.exportName(pseudo, ctx.now())}.${format}`,
          ),
          'content-security-policy': "sandbox; default-src 'none'",
          'x-content-type-options': 'nosniff',
        })
        reply.type(format === 'zip' ? 'application/zip' : 'application/json; charset=utf-8')
        if (request.method === 'HEAD') return reply.send('')
        if (running.has(actor.userId)) {
          reply.removeHeader('content-disposition').removeHeader('content-type')
          throw alreadyRunning()
        }
        running.add(actor.userId)
        if (format === 'zip') {
          sendZip(reply, actor)
          return reply
        }
        const json = Readable.from(writeJson(ctx, actor), { objectMode: false })
        json.once('close', () => running.delete(actor.userId))
        return reply.send(json)
      },
    })

    /** Past Fastify, like every file: the memory of what is sent is given back at once. */
    function sendZip(reply: FastifyReply, actor: Actor): void {
      const archive = createZipArchive()
      const stop = () => archive.abandon(new Error('The program is stopping'))
      ctx.stopping.addEventListener('abort', stop, { once: true })
      archive.output.once('close', () => {
        running.delete(actor.userId)
        ctx.stopping.removeEventListener('abort', stop)
      })
      reply.hijack()
      reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
      const filling = fillArchive(ctx, actor, archive).catch((error) => archive.abandon(error))
      Promise.all([sendOpened(archive.output, reply.raw), filling]).catch((error) =>
        ctx.log.error({ err: error }, 'an export broke off'),
      )
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
  }
}

function alreadyRunning(): AppError {
  return new AppError('too_many_requests', {
    message: 'Un export de vos données est déjà en cours. Attendez qu’il soit terminé.',
    retryAfterSeconds: 60,
  })
}
