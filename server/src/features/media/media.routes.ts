import fastifyMultipart from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import * as jobEndpoints from '#contract/jobs.ts'
import * as endpoints from '#contract/media.ts'
import type { AppContext } from '#server/context.ts'
import type { MediaGate } from '#server/features/access/media-gate.service.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { limited } from '#server/http/rate-limits.ts'
import { deleteUpload } from './media.service.ts'
import { answerAddress } from './media-files.service.ts'
import {
  countStepStatuses,
  getStepStatus,
  listStepStatuses,
  retryStep,
} from './media-steps.service.ts'
import { MULTIPART_LIMITS, takeUpload } from './media-uploads.routes.ts'

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

/** Uploads, files by ticket and their processing steps. `gates` say who may have the files that are in use. */
export function mediaRoutes(ctx: AppContext, gates: readonly MediaGate[]): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(fastifyMultipart, { limits: MULTIPART_LIMITS, throwFileSizeLimit: false })

    app.route({
      ...endpoints.uploadFile,
      config: limited(120, '1 hour'),
      handler: async (request, reply) => reply.code(201).send(await takeUpload(ctx, request)),
    })

    app.route({
      ...endpoints.deleteFile,
      preValidation: signedIn,
      handler: async (request) => {
        await deleteUpload(ctx, requireActor(request), request.body.path)
        return { success: true as const }
      },
    })

    function answerFile(
      request: FastifyRequest,
      reply: FastifyReply,
      place: { folder: string; name: string },
      query: z.infer<typeof fileQuery>,
    ): Promise<FastifyReply> {
      const download = query.download !== undefined && query.download !== '0'
      return answerAddress(ctx, gates, request, reply, { ...place, ticket: query.token, download })
    }
    const config = limited(1_200, '1 minute')
    app.get(
      '/api/secure-file/:folder/:name',
      { config, schema: folderFileSchema },
      (request, reply) => answerFile(request, reply, request.params, request.query),
    )
    for (const [door, folder] of [
      ['thumbnail', 'thumbnail'],
      ['audio', 'listen'],
    ] as const) {
      app.get(`/api/${door}/:name`, { config, schema: fileSchema }, (request, reply) =>
        answerFile(request, reply, { folder, name: request.params.name }, request.query),
      )
    }

    app.route({
      ...jobEndpoints.getJobStatus,
      handler: (request) => getStepStatus(ctx, requireActor(request), request.params.jobId),
    })

    app.route({
      ...jobEndpoints.retryJob,
      config: limited(60, '1 hour'),
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
