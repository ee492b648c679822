import type { FastifyInstance } from 'fastify'
import { isApiCall } from './requests.ts'

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
    // Text becomes markup or code nowhere; the exceptions are the addresses of two workers.
    "require-trusted-types-for 'script'",
    'trusted-types service-worker document-reader',
  ].join('; ')

/** Without subdomains, which may have another operator. */
const HSTS = { 'strict-transport-security': 'max-age=31536000' }

/**
 * Sets the headers of every answer; media routes tighten the policy of theirs. `scripts` are the sources of the pages'
 * inline scripts: `'sha256-…'`. A site with an https address enforces https.
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
    // No cache may store one person's answer for another, unless a route allows it. Search engines show pages, no data.
    reply.headers({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
  })
}
