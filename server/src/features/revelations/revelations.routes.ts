import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { getProof as getProofEndpoint } from '#contract/proofs/endpoints.ts'
import * as receipts from '#contract/receipts.ts'
import * as endpoints from '#contract/revelations.ts'
import * as sealing from '#contract/sealing.ts'
import type { AppContext } from '#server/context.ts'
import { type Viewer, viewerOf, visitOf } from '#server/features/access/viewers.service.ts'
import { type Actor, actorOf, requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { createOnceFor } from '#server/features/idempotency/creating-routes.service.ts'
import { sendMedia } from '#server/features/media/file-serving.service.ts'
import { setPageCheck } from '#server/http/page-calls.ts'
import { createSearchLimit, rateLimit } from '#server/http/rate-limits.ts'
import { editRevelation } from './edits.service.ts'
import { chosenBy, type Shown } from './lists.rules.ts'
import { type FoundList, findRevelations, findRevelationsOfUser } from './lists.service.ts'
import { getProof } from './proof.service.ts'
import type { RevelationList } from './public-answers.service.ts'
import { getReceipt, mailReceipt } from './receipts.service.ts'
import { createResponseCache } from './response-cache.service.ts'
import { getRevelation, rowsShown, viewSealed } from './revelation-views.service.ts'
import { presentRevelation, presentWhole } from './revelations.presenter.ts'
import * as revelations from './revelations.service.ts'

const RECEIPTS_PER_HOUR = 10

const ticketQuery = z.object({ token: z.string('Adresse non valide').optional() })
const ownVideoSchema = {
  summary: 'The original of one’s own video, for choosing a teaser',
  tags: ['revelations'],
  params: endpoints.getRevelation.schema.params,
  querystring: ticketQuery,
}

function presentList({ seen, nextCursor, counts }: RevelationList): endpoints.RevelationPage {
  return { revelations: seen.map(presentRevelation), next_cursor: nextCursor, counts }
}

async function acceptAliases(request: FastifyRequest): Promise<void> {
  request.body = sealing.normalizeAliases(request.body)
}

/** Bytes that went through the schema already. */
function sendJson<Body>(reply: FastifyReply, json: Buffer): Body {
  return reply.type('application/json; charset=utf-8').send(json) as unknown as Body
}

export function revelationRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    const cache = createResponseCache(ctx)
    const countSearch = createSearchLimit(app, 'revelation')

    async function answerVisitor<Body extends object>(
      reply: FastifyReply,
      query: object,
      read: (still: AppContext) => Promise<{ body: Body; shown: Shown }>,
    ): Promise<Body> {
      const answer = await cache.cachedForVisitor(query, async (still) => {
        const { body, shown } = await read(still)
        return { json: String(reply.serialize({ ...body })), ...shown }
      })
      // Each search is a call, which counts it.
      if (answer.chosenBy !== 'search') setPageCheck(reply.request, answer.isCurrent)
      return sendJson<Body>(reply, answer.json)
    }

    /** A list of visitors, which reads more than one row: what it was chosen by matters too. */
    function answerList(
      reply: FastifyReply,
      query: endpoints.ListQuery & { userId?: string },
      find: (still: AppContext) => Promise<FoundList>,
    ) {
      return answerVisitor(reply, query, async (still) => {
        const list = await cache.viewListForVisitor(still, await find(still))
        const shown = { rows: rowsShown(list.seen), chosenBy: chosenBy(query) }
        return { body: presentList(list), shown }
      })
    }

    async function present(ctx: AppContext, viewer: Viewer, id: string) {
      return { revelation: presentWhole(await getRevelation(ctx, viewer, id)) }
    }

    async function presentSealed(actor: Actor, sealed: revelations.SealedNow) {
      return { revelation: presentWhole(await viewSealed(ctx, actor, sealed)) }
    }

    app.route({
      ...endpoints.listRevelations,
      handler: async (request, reply) => {
        const actor = actorOf(request)
        const { query } = request
        if (query.q?.trim()) await countSearch(request)
        const find = (ctx: AppContext) => findRevelations(ctx, actor, query)
        if (!actor) return answerList(reply, query, find)
        const feed = await cache.cachedFeed(actor, query)
        return sendJson(reply, feed ?? (await cache.readList(actor, await find(ctx))))
      },
    })

    app.route({
      ...endpoints.listRevelationsOfUser,
      handler: async (request, reply) => {
        const actor = actorOf(request)
        const { query } = request
        const { id } = request.params
        if (query.q?.trim()) await countSearch(request)
        const find = (ctx: AppContext) => findRevelationsOfUser(ctx, actor, id, query)
        if (!actor) return answerList(reply, { ...query, userId: id }, find)
        return sendJson(reply, await cache.readList(actor, await find(ctx)))
      },
    })

    app.route({
      ...endpoints.getRevelation,
      handler: async (request, reply) => {
        const viewer = viewerOf(request)
        const { id } = request.params
        const isNobody = viewer.actor === null && viewer.deliveryKey === null
        if (!isNobody) {
          const { actor, deliveryKey } = viewer
          const isAccount = actor !== null && deliveryKey === null
          const json = isAccount ? await cache.cachedLetter(actor, id) : undefined
          return json === undefined ? present(ctx, viewer, id) : sendJson(reply, json)
        }
        return answerVisitor(reply, { id }, async (still) => {
          const seen = await getRevelation(still, viewer, id)
          const shown = { rows: rowsShown([seen]), chosenBy: 'row' } as const
          return { body: { revelation: presentWhole(seen) }, shown }
        })
      },
    })

    app.route({
      ...getProofEndpoint,
      handler: (request) => getProof(ctx, viewerOf(request), request.params.id),
    })

    app.route({
      ...receipts.getReceipt,
      preValidation: signedIn,
      handler: (request) => getReceipt(ctx, requireActor(request), request.params.id),
    })

    app.route({
      ...receipts.mailReceipt,
      config: rateLimit(RECEIPTS_PER_HOUR, '1 hour'),
      preValidation: signedIn,
      handler: async (request) => ({
        queued: await mailReceipt(ctx, requireActor(request), request.params.id),
      }),
    })

    app.route({
      ...sealing.createRevelation,
      config: rateLimit(60, '1 hour'),
      preValidation: [signedIn, acceptAliases],
      handler: async (request, reply) => {
        const actor = requireActor(request)
        const sealed = await createOnceFor(
          ctx,
          { request, reply, owner: { userId: actor.userId } },
          (tx) => revelations.createRevelation(tx, actor, request.body),
          ({ envelope }) => envelope.id,
        )
        if (!sealed.isReplay)
          return reply.code(201).send(await presentSealed(actor, sealed.created))
        return reply.code(201).send(await present(ctx, viewerOf(request), sealed.resourceId))
      },
    })

    app.route({
      ...sealing.editRevelation,
      preValidation: [signedIn, acceptAliases],
      handler: async (request) => {
        const actor = requireActor(request)
        return presentSealed(
          actor,
          await editRevelation(ctx, actor, request.params.id, request.body),
        )
      },
    })

    app.route({
      ...endpoints.deleteRevelation,
      handler: async (request) => {
        await revelations.deleteRevelation(ctx, requireActor(request), request.params.id)
        return { success: true as const }
      },
    })

    app.get(
      '/api/revelations/video-stream-edit/:id',
      { schema: ownVideoSchema, config: { scope: 'read' } },
      async (request, reply) => {
        const caller = { actor: actorOf(request), ticket: request.query.token }
        const video = await revelations.getOwnVideo(ctx, caller, request.params.id)
        const how = { variant: 'original', download: false, isForEverybody: false } as const
        return sendMedia(ctx, request, reply, { ...video, ...how })
      },
    )

    app.route({
      ...endpoints.recordView,
      config: rateLimit(60, '1 minute'),
      handler: async (request) => ({
        views_count: await revelations.recordView(
          ctx,
          viewerOf(request),
          request.params.id,
          visitOf(request),
        ),
      }),
    })
  }
}
