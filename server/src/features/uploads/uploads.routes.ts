import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import * as endpoints from '#contract/uploads.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import type { TeaserWindow } from '#server/features/media/media.rules.ts'
import { cleanName } from '#server/features/media/media-names.rules.ts'
import { answerReceived, getReceived } from '#server/features/media/media-received.service.ts'
import { limited } from '#server/http/rate-limits.ts'
import type { UploadRow } from './uploads.repository.ts'
import { expiryOf } from './uploads.rules.ts'
import { factsOf, listOpenUploads } from './uploads.service.ts'
import { finisherOf } from './uploads-finishing.service.ts'
import { tusRoutes } from './uploads-tus.routes.ts'

type Wish = z.infer<typeof endpoints.finishUpload.schema.body>

/** Files that arrive in parts: the tus protocol, what is on its way, and the file at the end. */
export function uploadRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  const finish = finisherOf(ctx)

  function present(upload: UploadRow): endpoints.OpenUpload {
    return {
      id: upload.id,
      name: cleanName(factsOf(ctx, upload).name || 'fichier', 'bin'),
      size: upload.declaredBytes,
      received: upload.receivedBytes,
      expires_at: expiryOf(upload).toISOString(),
    }
  }

  return async (app) => {
    await app.register(tusRoutes(ctx))

    app.route({
      ...endpoints.listUploads,
      handler: async (request) => {
        const uploads = await listOpenUploads(ctx, requireActor(request))
        return { uploads: uploads.map(present) }
      },
    })

    app.route({
      ...endpoints.finishUpload,
      config: limited(600, '1 hour', { shared: false }),
      preValidation: signedIn,
      handler: async (request, reply) => {
        const actor = requireActor(request)
        const { folder } = request.body
        const mediaId = await finish(actor, request.params.id, {
          folder,
          teaser: windowOf(request.body),
        })
        return reply
          .code(201)
          .send(answerReceived(ctx, actor, await getReceived(ctx, actor, mediaId)))
      },
    })
  }
}

/** One end without the other is no window, and is refused as such. */
function windowOf({ teaserStart, teaserEnd }: Wish): TeaserWindow | undefined {
  if (teaserStart === undefined && teaserEnd === undefined) return undefined
  return { startSeconds: teaserStart ?? Number.NaN, endSeconds: teaserEnd ?? Number.NaN }
}
