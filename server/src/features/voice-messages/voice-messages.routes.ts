import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/sounds.ts'
import type { AppContext } from '#server/context.ts'
import { actorOf, requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { createOnceFor } from '#server/features/idempotency/creating-routes.service.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { presentVoiceMessage } from './voice-messages.presenter.ts'
import {
  countPlay,
  createVoiceMessage,
  deleteVoiceMessage,
  getVoiceMessage,
  getWaveform,
  listVoiceMessages,
  updateFavorite,
  type VoiceMessagePage,
} from './voice-messages.service.ts'

function presentPage({ views, nextCursor, sums }: VoiceMessagePage) {
  const { voiceMessages, durationMs, favorites, plays } = sums
  return {
    sounds: views.map(presentVoiceMessage),
    next_cursor: nextCursor,
    count: voiceMessages,
    totals: { sounds: voiceMessages, duration: durationMs / 1_000, favorites, plays },
  }
}

const EMPTY_PAGE = presentPage({
  views: [],
  nextCursor: null,
  sums: { voiceMessages: 0, durationMs: 0, favorites: 0, plays: 0 },
})

/** Voice messages of the circle, at /api/family-sounds. */
export function voiceMessageRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.listSounds,
      handler: async (request) => {
        const actor = actorOf(request)
        return actor ? presentPage(await listVoiceMessages(ctx, actor, request.query)) : EMPTY_PAGE
      },
    })

    app.route({
      ...endpoints.getSound,
      preValidation: signedIn,
      handler: async (request) => {
        const view = await getVoiceMessage(ctx, requireActor(request), request.params.id)
        return { sound: presentVoiceMessage(view) }
      },
    })

    app.route({
      ...endpoints.createSound,
      config: rateLimit(60, '1 hour'),
      preValidation: signedIn,
      handler: async (request, reply) => {
        const actor = requireActor(request)
        const result = await createOnceFor(
          ctx,
          { request, reply, owner: { userId: actor.userId } },
          (tx) => createVoiceMessage(tx, actor, request.body),
          (id) => id,
        )
        const id = result.isReplay ? result.resourceId : result.created
        const view = await getVoiceMessage(ctx, actor, id)
        return reply.code(201).send({ sound: presentVoiceMessage(view) })
      },
    })

    app.route({
      ...endpoints.countPlay,
      preValidation: signedIn,
      handler: async (request) => ({
        play_count: await countPlay(ctx, requireActor(request), request.params.id),
      }),
    })

    app.route({
      ...endpoints.toggleFavorite,
      preValidation: signedIn,
      handler: async (request) => {
        const { params, body } = request
        const actor = requireActor(request)
        return { is_favorite: await updateFavorite(ctx, actor, params.id, body?.is_favorite) }
      },
    })

    app.route({
      ...endpoints.deleteSound,
      preValidation: signedIn,
      handler: async (request) => {
        await deleteVoiceMessage(ctx, requireActor(request), request.params.id)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.getWaveform,
      preValidation: signedIn,
      handler: (request) => getWaveform(ctx, requireActor(request), request.params.id),
    })
  }
}
