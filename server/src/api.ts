import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { AppContext } from '#server/context.ts'
import { revelationMediaGate } from '#server/features/access/media-gate.service.ts'
import { accountRoutes } from '#server/features/account/account.routes.ts'
import { apiTokenRoutes } from '#server/features/api-tokens/api-tokens.routes.ts'
import { findBearer } from '#server/features/api-tokens/api-tokens.service.ts'
import { accountLinkRoutes } from '#server/features/auth/account-links.routes.ts'
import { authRoutes } from '#server/features/auth/auth.routes.ts'
import { calendarRoutes } from '#server/features/calendar/calendar.routes.ts'
import { circleRoutes } from '#server/features/circle/circle.routes.ts'
import { commentRoutes } from '#server/features/comments/comments.routes.ts'
import { deliveryRoutes } from '#server/features/deliveries/deliveries.routes.ts'
import { eventRoutes } from '#server/features/events/events.routes.ts'
import { exportRoutes } from '#server/features/exports/exports.routes.ts'
import { mailRoutes } from '#server/features/mails/mails.routes.ts'
import { mediaRoutes } from '#server/features/media/media.routes.ts'
import { storageUsedBy } from '#server/features/media/quota.service.ts'
import { uploadRoutes } from '#server/features/media/uploads.routes.ts'
import { notificationRoutes } from '#server/features/notifications/notifications.routes.ts'
import { openingRoutes } from '#server/features/openings/openings.routes.ts'
import { predictionRoutes } from '#server/features/predictions/predictions.routes.ts'
import { presenceRoutes } from '#server/features/presence/presence.routes.ts'
import { profileRoutes } from '#server/features/profiles/profiles.routes.ts'
import { proofRoutes } from '#server/features/proofs/proofs.routes.ts'
import { verifierRoutes } from '#server/features/proofs/verifier.routes.ts'
import { pushRoutes } from '#server/features/push/push.routes.ts'
import { reactionRoutes } from '#server/features/reactions/reactions.routes.ts'
import { receivedRoutes } from '#server/features/received/received.routes.ts'
import { relationshipRoutes } from '#server/features/relationships/relationships.routes.ts'
import { reminderRoutes } from '#server/features/reminders/reminders.routes.ts'
import { replyRoutes } from '#server/features/replies/replies.routes.ts'
import { findVoiceSender, replyMediaGate } from '#server/features/replies/reply-viewers.service.ts'
import { reportRoutes } from '#server/features/reports/reports.routes.ts'
import { revelationRoutes } from '#server/features/revelations/revelations.routes.ts'
import { previewRoutes } from '#server/features/sharing/previews.routes.ts'
import { sitemapRoutes } from '#server/features/sharing/sitemap.routes.ts'
import { statisticsRoutes } from '#server/features/statistics/statistics.routes.ts'
import { subscriptionRoutes } from '#server/features/subscriptions/subscriptions.routes.ts'
import { requireFeature } from '#server/features/subscriptions/subscriptions.service.ts'
import { voiceMessageGate } from '#server/features/voice-messages/voice-message-viewers.service.ts'
import { voiceMessageRoutes } from '#server/features/voice-messages/voice-messages.routes.ts'
import { registerApiDocument } from '#server/http/api-document.ts'
import { drainBodyOnError, registerBodyTimeout, registerJsonBodies } from '#server/http/bodies.ts'
import { registerErrorHandler } from '#server/http/error-handler.ts'
import { registerProxyWarnings } from '#server/http/exposure.ts'
import { closeConnectionsOnStop } from '#server/http/graceful-close.ts'
import { healthRoutes, PLUGIN_TIMEOUT_MS } from '#server/http/health.ts'
import { registerIdempotencyKeys } from '#server/http/idempotency.ts'
import { inlineScripts, registerDemoMedia, registerPages } from '#server/http/pages.ts'
import { registerPasswordLimit, registerRateLimits } from '#server/http/rate-limits.ts'
import {
  registerBearerToken,
  registerRequestLog,
  registerServerTime,
} from '#server/http/requests.ts'
import { registerSecurityHeaders } from '#server/http/security-headers.ts'
import { siteRoutes } from '#server/http/site.ts'
import { registerTokenScopes } from '#server/http/token-scopes.ts'

const JSON_BODY_MAX_BYTES = 256 * 1024
const UPLOAD_TIMEOUT_MS = 660_000

/** The HTTP server with every plugin and route, in order. It listens nowhere yet. */
export async function createApi(ctx: AppContext): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    pluginTimeout: PLUGIN_TIMEOUT_MS,
    bodyLimit: JSON_BODY_MAX_BYTES,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
    // Nobody else may say whom they speak for.
    trustProxy: ['loopback', ...ctx.config.http.trustedProxies],
    routerOptions: { maxParamLength: 200 },
    // What still comes while this process stops is answered (`closeInTime`).
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  registerErrorHandler(app)
  registerJsonBodies(app)
  registerRequestLog(app)
  registerProxyWarnings(app, ctx)
  const { publicUrl } = ctx.config.http
  registerSecurityHeaders(app, { scripts: await inlineScripts(), publicUrl })
  registerServerTime(app, ctx.now)
  registerBodyTimeout(app)
  drainBodyOnError(app)
  closeConnectionsOnStop(app, ctx.stopping)
  registerBearerToken(app, (token) => findBearer(ctx, token))
  registerTokenScopes(app, (userId) => requireFeature(ctx, userId, 'api'))
  await registerRateLimits(app, ctx)
  registerPasswordLimit(app)
  registerIdempotencyKeys(app)
  await registerApiDocument(app)
  await app.register(healthRoutes(ctx))
  await app.register(siteRoutes(ctx))
  await app.register(authRoutes(ctx))
  await app.register(accountLinkRoutes(ctx))
  await app.register(apiTokenRoutes(ctx))
  await app.register(accountRoutes(ctx))
  await app.register(profileRoutes(ctx))
  await app.register(relationshipRoutes(ctx))
  await app.register(subscriptionRoutes(ctx, storageUsedBy))
  await app.register(revelationRoutes(ctx))
  await app.register(openingRoutes(ctx))
  await app.register(presenceRoutes(ctx))
  await app.register(predictionRoutes(ctx))
  await app.register(proofRoutes(ctx))
  await app.register(verifierRoutes(ctx))
  await app.register(reactionRoutes(ctx))
  await app.register(commentRoutes(ctx))
  await app.register(replyRoutes(ctx))
  await app.register(receivedRoutes(ctx))
  await app.register(eventRoutes(ctx))
  await app.register(exportRoutes(ctx))
  await app.register(reportRoutes(ctx))
  await app.register(deliveryRoutes(ctx))
  await app.register(mailRoutes(ctx))
  await app.register(reminderRoutes(ctx))
  await app.register(notificationRoutes(ctx))
  await app.register(pushRoutes(ctx))
  await app.register(circleRoutes(ctx))
  await app.register(calendarRoutes(ctx))
  await app.register(statisticsRoutes(ctx))
  await app.register(voiceMessageRoutes(ctx))
  const gates = [revelationMediaGate, voiceMessageGate, replyMediaGate]
  await app.register(mediaRoutes(ctx, gates, findVoiceSender))
  await app.register(uploadRoutes(ctx))
  await registerDemoMedia(app)
  await app.register(previewRoutes(ctx))
  await app.register(sitemapRoutes(ctx))
  await registerPages(app, ctx)
  return app
}
