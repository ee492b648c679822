import fastifyMultipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import * as jobEndpoints from '#contract/jobs.ts'
import * as endpoints from '#contract/media.ts'
import { FOLDERS, type Folder, UPLOAD_MAX_BYTES, type UploadResult } from '#contract/media.ts'
import type { AppContext } from '#server/context.ts'
import { AppError, fieldError } from '#server/errors.ts'
import {
  keyTicketHolder,
  type MediaGate,
  sessionTicketHolder,
} from '#server/features/access/media-gate.service.ts'
import type { KeyHolder } from '#server/features/access/personal-keys.rules.ts'
import { type Viewer, viewerOf } from '#server/features/access/viewers.service.ts'
import { type Actor, requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { createSubLimit, rateLimit } from '#server/http/rate-limits.ts'
import { hashToken } from '#server/platform/tokens.ts'
import { sendByAddress } from './file-serving.service.ts'
import { presentUpload } from './media.presenter.ts'
import { parseTeaser } from './media.rules.ts'
import { deleteUnusedFile } from './media.service.ts'
import {
  type FileSender,
  type IncomingFile,
  receiveFile,
  requireDeclaredBytes,
  requirePossibleTeaser,
} from './receiving.service.ts'
import { countStepStatuses, getStepStatus, listStepStatuses, retryStep } from './steps.service.ts'
import { leastFileBytes } from './uploads.rules.ts'

const multipartLimits = {
  // One byte more than a file may have, so that a larger one is seen.
  fileSize: UPLOAD_MAX_BYTES + 1,
  files: 1,
  fields: 8,
  fieldSize: 1_024,
  fieldNameSize: 100,
  parts: 9,
  headerPairs: 20,
}

const formSchema = z.object({
  folder: z.enum(FOLDERS, 'Ce dossier n’existe pas').optional(),
  teaserStart: z.string().optional(),
  teaserEnd: z.string().optional(),
  teaserData: z.string().optional(),
})

const fileQuery = z.object({
  token: z.string('Adresse non valide').optional(),
  download: z.string('Adresse non valide').optional(),
})
const fileDocument = {
  summary: 'A file or a part of it, by its ticket; `download` offers it for saving',
  tags: ['files'],
}
const fileSchema = {
  ...fileDocument,
  params: z.object({ name: z.string() }),
  querystring: fileQuery,
}
const folderFileSchema = {
  ...fileDocument,
  params: z.object({ folder: z.string(), name: z.string() }),
  querystring: fileQuery,
}

/** The bearer of a personal link who may send a voice by it now. */
export type LinkDoor = (ctx: AppContext, viewer: Viewer) => Promise<KeyHolder | undefined>

const VOICES_PER_DAY_OF_LINK = 20

/**
 * Files in one request, files by ticket and their steps. `gates` decide who may have the files that are in use, `findLink`
 * who may send a voice without an account.
 */
export function mediaRoutes(
  ctx: AppContext,
  gates: readonly MediaGate[],
  findLink: LinkDoor,
): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(fastifyMultipart, { limits: multipartLimits, throwFileSizeLimit: false })

    // Its bytes are in nobody’s plan.
    const countVoice = createSubLimit(
      app,
      'voices-of-links',
      VOICES_PER_DAY_OF_LINK,
      '1 day',
      (request) => `link:${hashToken(viewerOf(request).deliveryKey ?? '').toString('base64url')}`,
      { always: true },
    )

    app.route({
      ...endpoints.uploadFile,
      config: rateLimit(120, '1 hour'),
      handler: async (request, reply) => {
        const viewer = viewerOf(request)
        const link = viewer.actor ? undefined : await findLink(ctx, viewer)
        if (link) await countVoice(request)
        const sender = link
          ? { as: link, holder: keyTicketHolder(link), folder: 'audio' as const }
          : byAccount(requireActor(request))
        return reply.code(201).send(await receiveForm(ctx, request, sender))
      },
    })

    app.route({
      ...endpoints.deleteFile,
      preValidation: signedIn,
      handler: async (request) => {
        await deleteUnusedFile(ctx, requireActor(request), request.body.path)
        return { success: true as const }
      },
    })

    function sendFile(
      request: FastifyRequest,
      reply: FastifyReply,
      name: { folder: string; name: string },
      query: z.infer<typeof fileQuery>,
    ): Promise<FastifyReply> {
      const download = query.download !== undefined && query.download !== '0'
      const address = { ...name, ticket: query.token, download }
      return sendByAddress(ctx, gates, request, reply, address)
    }
    const config = { ...rateLimit(1_200, '1 minute'), scope: 'read' as const }
    app.get(
      '/api/secure-file/:folder/:name',
      { config, schema: folderFileSchema },
      (request, reply) => sendFile(request, reply, request.params, request.query),
    )
    for (const [door, folder] of [
      ['thumbnail', 'thumbnail'],
      ['audio', 'listen'],
    ] as const) {
      app.get(`/api/${door}/:name`, { config, schema: fileSchema }, (request, reply) =>
        sendFile(request, reply, { folder, name: request.params.name }, request.query),
      )
    }

    app.route({
      ...jobEndpoints.getJobStatus,
      handler: (request) => getStepStatus(ctx, requireActor(request), request.params.jobId),
    })

    app.route({
      ...jobEndpoints.retryJob,
      config: rateLimit(60, '1 hour'),
      preValidation: signedIn,
      handler: (request) => retryStep(ctx, requireActor(request), request.params.jobId),
    })

    app.route({
      ...jobEndpoints.getJobStats,
      handler: (request) => countStepStatuses(ctx, requireActor(request)),
    })

    app.route({
      ...jobEndpoints.getJobStatuses,
      preValidation: signedIn,
      handler: async (request) => {
        const { jobIds } = request.body
        const known = await listStepStatuses(ctx, requireActor(request), jobIds)
        const byId = new Map(known.map((status) => [status.jobId, status]))
        return {
          results: jobIds.map(
            (jobId) => byId.get(jobId) ?? { jobId, status: 'not_found' as const },
          ),
        }
      },
    })
  }
}

function byAccount(actor: Actor): Sender {
  return { as: actor, holder: sessionTicketHolder(actor) }
}

interface Sender {
  as: FileSender
  /** For whom the address of the file is. */
  holder: string
  /** The only folder that may be sent to. */
  folder?: Folder
}

async function receiveForm(
  ctx: AppContext,
  request: FastifyRequest,
  { as: sender, holder, folder }: Sender,
): Promise<UploadResult> {
  const declaredBytes = leastFileBytes(request.headers['content-length'])
  await requireDeclaredBytes(ctx, sender, declaredBytes)
  if (!request.isMultipart()) throw new AppError('invalid_file')
  const { part, fields, readEnd } = await readForm(request)
  try {
    const received = await receiveFile(ctx, sender, {
      ...parseFields(fields),
      ...(folder && { folder }),
      bytes: part.file,
      readEnd,
      fileName: part.filename,
      declaredType: part.mimetype,
      declaredBytes,
    })
    return presentUpload(ctx, holder, received)
  } finally {
    part.file.destroy()
  }
}

interface Form {
  /** The fields that stand before the file. */
  fields: Record<string, string>
  /** The file, still on its way. */
  part: MultipartFile
  /** Resolves at the end of the form, once the file is read. */
  readEnd(): Promise<void>
}

async function readForm(request: FastifyRequest): Promise<Form> {
  const fields: Record<string, string> = {}
  try {
    const parts = request.parts()[Symbol.asyncIterator]()
    for (;;) {
      const { value: part, done } = await parts.next()
      if (done) break
      if (part.type === 'file') {
        const readEnd = async () => {
          while (!(await parts.next()).done) {
            // Fields after the file are ignored.
          }
        }
        return { part, fields, readEnd }
      }
      if (typeof part.value === 'string' && !part.valueTruncated)
        fields[part.fieldname] = part.value
    }
  } catch (error) {
    // The parser rejects forms that nothing can be read from.
    request.log.info({ error: String(error) }, 'an upload form cannot be read')
  }
  throw new AppError('invalid_file')
}

function parseFields(fields: Record<string, string>): Pick<IncomingFile, 'folder' | 'teaser'> {
  const form = formSchema.safeParse(fields)
  if (!form.success) {
    const issue = form.error.issues[0]
    throw fieldError(String(issue?.path[0]), issue?.message ?? '')
  }
  const { folder } = form.data
  const teaser = parseTeaser(form.data)
  requirePossibleTeaser(folder, teaser)
  return { folder, teaser }
}
