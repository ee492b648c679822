import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/profiles.ts'
import type { AppContext } from '#server/context.ts'
import { presentPublicUser, presentUser } from '#server/features/auth/auth.rules.ts'
import { getUser } from '#server/features/auth/auth.service.ts'
import { actorOf, requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { createSearchLimit, createSubLimit } from '#server/http/rate-limits.ts'
import { namesUpload } from './avatars.rules.ts'
import { presentStats } from './figures.rules.ts'
import { getPersonSeen, isAddress, searchPeople } from './people.service.ts'
import { presentStanding } from './profiles.presenter.ts'
import { editProfile, markOnboarded } from './profiles.service.ts'

export function profileRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    // Few people look for twenty addresses in an hour; who tries out a list of them does.
    const countAddress = createSubLimit(app, 'searched-addresses', 20, '1 hour')
    const countSearch = createSearchLimit(app, 'people')
    // Making a picture costs as much as a thousand other calls.
    const countPicture = createSubLimit(app, 'made-pictures', 30, '1 hour')

    app.route({
      ...endpoints.getProfile,
      handler: async (request) => ({
        user: presentUser(await getUser(ctx, requireActor(request).userId)),
      }),
    })

    app.route({
      ...endpoints.updateProfile,
      preValidation: signedIn,
      handler: async (request) => {
        if (namesUpload(request.body.avatar_url)) await countPicture(request)
        return { user: presentUser(await editProfile(ctx, requireActor(request), request.body)) }
      },
    })

    app.route({
      ...endpoints.markOnboarded,
      preValidation: signedIn,
      handler: async (request) => {
        await markOnboarded(ctx, requireActor(request))
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.getUser,
      handler: async (request) => {
        const seen = await getPersonSeen(ctx, actorOf(request), request.params.id)
        return {
          user: presentPublicUser(seen.user),
          stats: presentStats(seen),
          standing: presentStanding(seen),
        }
      },
    })

    app.route({
      ...endpoints.searchUsers,
      handler: async (request) => {
        const q = request.query.q ?? ''
        if (q.trim() !== '') await countSearch(request)
        if (isAddress(q)) await countAddress(request)
        const people = await searchPeople(ctx, actorOf(request), q)
        return { users: people.map(presentPublicUser) }
      },
    })
  }
}
