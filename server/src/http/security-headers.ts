import type { FastifyInstance } from 'fastify'
import { isApiCall } from './api-calls.ts'

const pagePolicy = (scripts: readonly string[]) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // Text becomes markup or code nowhere; the one exception is the address of the service worker.
    "require-trusted-types-for 'script'",
    'trusted-types service-worker',
  ].join('; ')

/** Not for the domains below it, which may be somebody else’s affair. */
const HSTS = { 'strict-transport-security': 'max-age=31536000' }

/**
 * Headers that every answer carries; media routes tighten the policy of what they send. The scripts are those that the
 * pages have in their own text, as sources of the policy: `'sha256-…'`. Where the site is reached by https, it never is
 * without any more.
 */
export function registerSecurityHeaders(
  app: FastifyInstance,
  { scripts, publicUrl }: { scripts: readonly string[]; publicUrl: string },
): void {
  const policy = pagePolicy(scripts)
  const transport = publicUrl.startsWith('https:') ? HSTS : {}
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      ...transport,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(self)',
    })
    if (!isApiCall(request)) return
    // What one person may read must never be kept for another: no cache, unless a route says otherwise. Search engines
    // show pages, not what they are made of.
    reply.headers({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
  })
}
