import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Standing } from '#contract/profiles.ts'
import * as endpoints from '#contract/profiles.ts'
import { idSchema } from '#contract/text.ts'
import type { AppContext } from '#server/context.ts'
import { presentPublicUser, presentUser } from '#server/features/auth/auth.rules.ts'
import { getUser } from '#server/features/auth/auth.service.ts'
import { actorOf, requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { createSearchLimit, createSubLimit, rateLimit } from '#server/http/rate-limits.ts'
import { isUploadUrl, readAvatar } from './avatars.service.ts'
import { presentStats } from './profiles.rules.ts'
import {
  editProfile,
  getPersonSeen,
  isAddress,
  markOnboarded,
  type SeenPerson,
  searchPeople,
} from './profiles.service.ts'

const A_YEAR_SECONDS = 31_536_000

const avatarSchema = {
  summary: 'The picture of a person, at the address their profile gives',
  tags: ['files'],
  params: z.object({ userId: idSchema, name: z.string() }),
}

export function profileRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    // Few people search for twenty addresses in an hour, unlike a script with a list of them.
    const countAddress = createSubLimit(app, 'searched-addresses', 20, '1 hour')
    const countSearch = createSearchLimit(app, 'people')
    // Rendering a picture costs as much as a thousand other calls.
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
        if (isUploadUrl(request.body.avatar_url)) await countPicture(request)
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

    app.get(
      '/api/avatars/:userId/:name',
      { config: { ...rateLimit(1_200, '1 minute'), scope: 'read' }, schema: avatarSchema },
      async (request, reply) => {
        const { userId, name } = request.params
        const bytes = await readAvatar(ctx, userId, name)
        return reply
          .headers({
            'content-security-policy': "sandbox; default-src 'none'",
            'x-content-type-options': 'nosniff',
            'cache-control': `public, max-age=${A_YEAR_SECONDS}, immutable`,
          })
          .type('image/webp')
          .send(bytes)
      },
    )
  }
}

function presentStanding({ user, standing }: SeenPerson): Standing {
  if (!standing) return null
  const { relationship, request } = standing
  return {
    relationship: relationship ? { id: relationship.id, type: relationship.type } : null,
    request: request
      ? {
          id: request.id,
          type: request.type,
          direction: request.senderId === user.id ? 'received' : 'sent',
        }
      : null,
  }
}
