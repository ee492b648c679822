import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/sounds.ts'
import type { AppContext } from '#server/context.ts'
import { actorOf, requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { limited } from '#server/http/rate-limits.ts'
import { countPlay, createSound, deleteSound, setFavorite } from './sound-changes.service.ts'
import { presentSound } from './sounds.presenter.ts'
import { getSound, getWaveform, listSounds, type SoundPage } from './sounds.service.ts'

function presentPage({ seen, nextCursor, sums }: SoundPage) {
  const { sounds, durationMs, favorites, plays } = sums
  return {
    sounds: seen.map(presentSound),
    next_cursor: nextCursor,
    count: sounds,
    totals: { sounds, duration: durationMs / 1_000, favorites, plays },
  }
}

const NOTHING = presentPage({
  seen: [],
  nextCursor: null,
  sums: { sounds: 0, durationMs: 0, favorites: 0, plays: 0 },
})

export function soundRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.listSounds,
      handler: async (request) => {
        const actor = actorOf(request)
        return actor ? presentPage(await listSounds(ctx, actor, request.query)) : NOTHING
      },
    })

    app.route({
      ...endpoints.getSound,
      preValidation: signedIn,
      handler: async (request) => ({
        sound: presentSound(await getSound(ctx, requireActor(request), request.params.id)),
      }),
    })

    app.route({
      ...endpoints.createSound,
      config: limited(60, '1 hour'),
      preValidation: signedIn,
      handler: async (request, reply) => {
        const actor = requireActor(request)
        const id = await createSound(ctx, actor, request.body)
        return reply.code(201).send({ sound: presentSound(await getSound(ctx, actor, id)) })
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
        const wish = request.body?.is_favorite
        return {
          is_favorite: await setFavorite(ctx, requireActor(request), request.params.id, wish),
        }
      },
    })

    app.route({
      ...endpoints.deleteSound,
      preValidation: signedIn,
      handler: async (request) => {
        await deleteSound(ctx, requireActor(request), request.params.id)
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
