import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { UPLOAD_MAX_BYTES } from '#contract/media.ts'
import { finishUpload, UPLOADS_URL } from '#contract/uploads.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { limited } from '#server/http/rate-limits.ts'
import type { UploadRow } from './uploads.repository.ts'
import { expiryOf } from './uploads.rules.ts'
import { abandonUpload, createUpload, factsOf, getUpload } from './uploads.service.ts'
import { partTakerOf } from './uploads-parts.service.ts'
import {
  CHECKSUM_ALGORITHM,
  PART_TYPE,
  readBytes,
  readChecksum,
  readFacts,
  requireLength,
  requireOffset,
  requireVersion,
  TUS_EXTENSIONS,
  TUS_VERSION,
  writeFacts,
} from './uploads-protocol.service.ts'

const UPLOAD_URL = `${UPLOADS_URL}/:id`
const tags = ['files']
const { params } = finishUpload.schema

/**
 * The tus protocol, by hand (docs/decisions/0020-resumable-uploads.md). There is no GET of an upload: it is the same 404
 * as any other address that leads nowhere.
 */
export function tusRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  const takePart = partTakerOf(ctx)
  return async (app) => {
    // A part is read from the connection, as it comes.
    app.addContentTypeParser(PART_TYPE, (_request, _body, done) => done(null))
    app.addHook('onRequest', speakTus)

    for (const url of [UPLOADS_URL, UPLOAD_URL]) {
      app.options(url, { schema: { hide: true } }, tellProtocol)
    }

    app.post(
      UPLOADS_URL,
      {
        schema: { summary: 'tus: begin an upload of Upload-Length bytes', tags },
        config: limited(240, '1 hour', { shared: false }),
        preValidation: [signedIn, sameVersion],
      },
      async (request, reply) => {
        const upload = await createUpload(ctx, requireActor(request), {
          sizeBytes: requireLength(request.headers['upload-length']),
          facts: readFacts(request.headers['upload-metadata']),
        })
        tellExpiry(reply, upload)
        return reply.code(201).header('location', `${UPLOADS_URL}/${upload.id}`).send()
      },
    )

    app.head(
      UPLOAD_URL,
      {
        schema: { summary: 'tus: how much of an upload has arrived', tags, params },
        config: { swagger: { exposeHeadRoute: true } },
        preValidation: [signedIn, sameVersion],
      },
      async (request, reply) => {
        const upload = await getUpload(ctx, requireActor(request), request.params.id)
        tellProgress(reply, upload)
        reply.header('upload-length', upload.declaredBytes)
        reply.header('upload-metadata', writeFacts(factsOf(ctx, upload)))
        return reply.send()
      },
    )

    app.patch(
      UPLOAD_URL,
      {
        schema: { summary: 'tus: the bytes of an upload from Upload-Offset on', tags, params },
        // A file of 600 MB in parts of 8 MiB is 75 of them; what people may keep is the quota's.
        config: limited(3_000, '1 hour', { shared: false }),
        preValidation: [signedIn, sameVersion],
      },
      async (request, reply) => {
        const { headers, raw: source } = request
        if (headers['content-type'] !== PART_TYPE) throw new AppError('unsupported_type')
        const upload = await takePart(requireActor(request), request.params.id, {
          offset: requireOffset(headers['upload-offset']),
          sizeBytes: readBytes(headers['content-length']),
          sha256: readChecksum(headers['upload-checksum']),
          source,
        })
        tellProgress(reply, upload)
        return reply.code(204).send()
      },
    )

    app.delete(
      UPLOAD_URL,
      {
        schema: { summary: 'tus: give up an upload, and the room it holds', tags, params },
        preValidation: [signedIn, sameVersion],
      },
      async (request, reply) => {
        await abandonUpload(ctx, requireActor(request), request.params.id)
        return reply.code(204).send()
      },
    )
  }
}

async function speakTus(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('tus-resumable', TUS_VERSION)
}

/** Refuses who speaks another version, and says which one is spoken here. */
async function sameVersion(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('tus-version', TUS_VERSION)
  requireVersion(request.headers['tus-resumable'])
}

async function tellProtocol(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers({
    'tus-version': TUS_VERSION,
    'tus-extension': TUS_EXTENSIONS,
    'tus-max-size': UPLOAD_MAX_BYTES,
    'tus-checksum-algorithm': CHECKSUM_ALGORITHM,
  })
  return reply.code(204).send()
}

function tellProgress(reply: FastifyReply, upload: UploadRow): void {
  reply.header('upload-offset', upload.receivedBytes)
  tellExpiry(reply, upload)
}

/** What has become a file expires no more. */
function tellExpiry(reply: FastifyReply, upload: UploadRow): void {
  if (!upload.mediaId) reply.header('upload-expires', expiryOf(upload).toUTCString())
}
