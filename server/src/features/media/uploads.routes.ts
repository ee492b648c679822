import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { UPLOAD_MAX_BYTES } from '#contract/media.ts'
import * as endpoints from '#contract/uploads.ts'
import { UPLOADS_URL } from '#contract/uploads.ts'
import type { AppContext } from '#server/context.ts'
import { AppError, fieldError } from '#server/errors.ts'
import { sessionTicketHolder } from '#server/features/access/media-gate.service.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { markReplayed } from '#server/http/idempotency.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { cleanName } from './file-names.rules.ts'
import { presentUpload } from './media.presenter.ts'
import type { TeaserWindow } from './media.rules.ts'
import { getReceived } from './receiving.service.ts'
import { createPartReceiver } from './upload-parts.service.ts'
import { createUploadSums, factsOf, type UploadSums } from './upload-seal.service.ts'
import type { UploadRow } from './uploads.repository.ts'
import {
  CHECKSUM_ALGORITHM,
  expiryOf,
  formatMetadata,
  type Header,
  PART_TYPE,
  parseBytes,
  parseChecksum,
  parseMetadata,
  TUS_EXTENSIONS,
  TUS_VERSION,
} from './uploads.rules.ts'
import {
  createFinisher,
  createUpload,
  deleteUpload,
  getUpload,
  listOpenUploads,
} from './uploads.service.ts'

/** Files that arrive in parts: the tus protocol, the unfinished uploads, and the file at the end. */
export function uploadRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  const sums = createUploadSums()
  const finish = createFinisher(ctx, sums)

  function presentOpenUpload(upload: UploadRow): endpoints.OpenUpload {
    return {
      id: upload.id,
      name: cleanName(factsOf(ctx, upload).name || 'fichier', 'bin'),
      size: upload.declaredBytes,
      received: upload.receivedBytes,
      expires_at: expiryOf(upload).toISOString(),
    }
  }

  return async (app) => {
    await app.register(tusRoutes(ctx, sums))

    app.route({
      ...endpoints.listUploads,
      handler: async (request) => {
        const uploads = await listOpenUploads(ctx, requireActor(request))
        return { uploads: uploads.map(presentOpenUpload) }
      },
    })

    app.route({
      ...endpoints.finishUpload,
      config: rateLimit(600, '1 hour', { shared: false }),
      preValidation: signedIn,
      handler: async (request, reply) => {
        const actor = requireActor(request)
        const { folder } = request.body
        const teaser = teaserOf(request.body)
        const mediaId = await finish(actor, request.params.id, { folder, teaser })
        const received = await getReceived(ctx, actor, mediaId)
        return reply.code(201).send(presentUpload(ctx, sessionTicketHolder(actor), received))
      },
    })
  }
}

/** One end without the other is no window, and is rejected as such. */
function teaserOf({
  teaserStart,
  teaserEnd,
}: z.infer<typeof endpoints.finishUpload.schema.body>): TeaserWindow | undefined {
  if (teaserStart === undefined && teaserEnd === undefined) return undefined
  return { startSeconds: teaserStart ?? Number.NaN, endSeconds: teaserEnd ?? Number.NaN }
}

const UPLOAD_URL = `${UPLOADS_URL}/:id`
const tags = ['files']
const { params } = endpoints.finishUpload.schema

/**
 * The tus protocol, by hand (docs/decisions/0020-resumable-uploads.md). An upload has no GET: it is the same 404 as any
 * other address that leads nowhere.
 */
function tusRoutes(ctx: AppContext, sums: UploadSums): FastifyPluginAsyncZod {
  const receivePart = createPartReceiver(ctx, sums)
  return async (app) => {
    // Parts are read from the connection, as they come.
    app.addContentTypeParser(PART_TYPE, (_request, _body, done) => done(null))
    app.addHook('onRequest', addVersion)

    for (const url of [UPLOADS_URL, UPLOAD_URL]) {
      app.options(url, { schema: { hide: true }, config: { scope: 'write' } }, sendCapabilities)
    }

    app.post(
      UPLOADS_URL,
      {
        schema: { summary: 'tus: begin an upload of Upload-Length bytes', tags },
        config: {
          ...rateLimit(240, '1 hour', { shared: false }),
          ...{ scope: 'write', createsOnce: true },
        },
        preValidation: [signedIn, requireVersion],
      },
      async (request, reply) => {
        const sizeBytes = parseBytes(request.headers['upload-length'])
        if (sizeBytes === undefined)
          throw fieldError('Upload-Length', 'La taille du fichier manque')
        const facts = parseMetadata(request.headers['upload-metadata'])
        const { idempotencyKey: key } = request
        const begun = await createUpload(ctx, requireActor(request), { sizeBytes, facts, key })
        if (begun.isReplay) markReplayed(reply)
        const { upload } = begun
        addExpiry(reply, upload)
        return reply.code(201).header('location', `${UPLOADS_URL}/${upload.id}`).send()
      },
    )

    app.head(
      UPLOAD_URL,
      {
        schema: { summary: 'tus: how much of an upload has arrived', tags, params },
        config: { swagger: { exposeHeadRoute: true }, scope: 'write' },
        preValidation: [signedIn, requireVersion],
      },
      async (request, reply) => {
        const upload = await getUpload(ctx, requireActor(request), request.params.id)
        addProgress(reply, upload)
        reply.header('upload-length', upload.declaredBytes)
        reply.header('upload-metadata', formatMetadata(factsOf(ctx, upload)))
        return reply.send()
      },
    )

    app.patch(
      UPLOAD_URL,
      {
        schema: { summary: 'tus: the bytes of an upload from Upload-Offset on', tags, params },
        // A file of 600 MB in parts of 8 MiB is 75 of them; the quota limits what people may store.
        config: { ...rateLimit(3_000, '1 hour', { shared: false }), scope: 'write' },
        preValidation: [signedIn, requireVersion],
      },
      async (request, reply) => {
        const { headers, raw: source } = request
        if (headers['content-type'] !== PART_TYPE) throw new AppError('unsupported_type')
        const upload = await receivePart(requireActor(request), request.params.id, {
          offset: requireOffset(headers['upload-offset']),
          sizeBytes: parseBytes(headers['content-length']),
          sha256: requireKnownChecksum(headers['upload-checksum']),
          source,
        })
        addProgress(reply, upload)
        return reply.code(204).send()
      },
    )

    app.delete(
      UPLOAD_URL,
      {
        schema: { summary: 'tus: give up an upload, and the room it holds', tags, params },
        config: { scope: 'write' },
        preValidation: [signedIn, requireVersion],
      },
      async (request, reply) => {
        await deleteUpload(ctx, requireActor(request), request.params.id)
        return reply.code(204).send()
      },
    )
  }
}

async function addVersion(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('tus-resumable', TUS_VERSION)
}

/** Rejects a client of another version, and answers with ours. */
async function requireVersion(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('tus-version', TUS_VERSION)
  if (request.headers['tus-resumable'] !== TUS_VERSION) throw new AppError('unsupported_version')
}

async function sendCapabilities(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers({
    'tus-version': TUS_VERSION,
    'tus-extension': TUS_EXTENSIONS,
    'tus-max-size': UPLOAD_MAX_BYTES,
    'tus-checksum-algorithm': CHECKSUM_ALGORITHM,
  })
  return reply.code(204).send()
}

function requireOffset(header: Header): number {
  const offset = parseBytes(header)
  if (offset === undefined) throw fieldError('Upload-Offset', 'Le début de cette partie manque')
  return offset
}

/** A part may come without a checksum, not with an unknown one. */
function requireKnownChecksum(header: Header): Buffer | undefined {
  const sha256 = parseChecksum(header)
  if (header !== undefined && !sha256) {
    throw fieldError('Upload-Checksum', 'Cette somme de contrôle n’est pas reconnue')
  }
  return sha256
}

function addProgress(reply: FastifyReply, upload: UploadRow): void {
  reply.header('upload-offset', upload.receivedBytes)
  addExpiry(reply, upload)
}

/** An upload that became a file expires no more. */
function addExpiry(reply: FastifyReply, upload: UploadRow): void {
  if (!upload.mediaId) reply.header('upload-expires', expiryOf(upload).toUTCString())
}
