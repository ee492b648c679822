import type { FastifyInstance } from 'fastify'
import { type Config, isLoopback } from '#server/config.ts'
import type { AppContext } from '#server/context.ts'

/** Warnings for the operator at the start of a program that other machines can reach: a sentence each. */
export function listExposureWarnings({
  http,
  mail,
  role,
}: Pick<Config, 'http' | 'mail' | 'role'>): string[] {
  const { host, publicUrl, rateLimits, trustedProxies } = http
  const isExposed = role !== 'worker' && !isLoopback(host)
  const sendsAway = mail.smtpUrl !== undefined && !isLoopback(hostOf(mail.smtpUrl))
  const warnings = []
  if ((isExposed || sendsAway) && isLoopback(hostOf(publicUrl))) {
    const reason = isExposed ? `HOST=${host} is reached from other machines` : 'mails leave'
    warnings.push(
      `PUBLIC_URL is ${publicUrl} while ${reason}: mails link to where nobody can follow. Say the address of the site.`,
    )
  }
  if (role === 'worker') return warnings
  if (!rateLimits) {
    warnings.push(
      'RATE_LIMITS is off: whoever reaches this program tries passwords and sends mails as often as they like. It is for measurements alone.',
    )
  }
  if (isExposed && trustedProxies.length === 0) {
    warnings.push(
      `TRUSTED_PROXIES is empty while HOST=${host} is reached from other machines: behind a proxy on one of them, all visitors count as one. Name it, or let the proxy run on this machine and HOST be 127.0.0.1.`,
    )
  }
  return warnings
}

/** Warns once when a request comes through a proxy that is not trusted, or that PUBLIC_URL does not name. */
export function registerProxyWarnings(app: FastifyInstance, { config, log }: AppContext): void {
  const { publicUrl } = config.http
  const logged = new Set<string>()
  const warnOnce = (sentence: string) => {
    if (logged.has(sentence)) return
    logged.add(sentence)
    log.warn(sentence)
  }
  app.addHook('onRequest', async (request) => {
    if (request.headers['x-forwarded-for'] === undefined) return
    // The log omits its address: anybody may send such a request.
    if (request.ips?.length === 1) {
      warnOnce(
        'a request says X-Forwarded-For, and comes from an address that TRUSTED_PROXIES does not name: if that is your proxy, all its visitors count as one until it is named.',
      )
    } else if (isLoopback(hostOf(publicUrl))) {
      warnOnce(
        `PUBLIC_URL is ${publicUrl}, and requests come by a proxy: mails link to where nobody can follow. Say the address of the site.`,
      )
    }
  })
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
}
