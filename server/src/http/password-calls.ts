import type { FastifyInstance, RouteOptions } from 'fastify'
import { changeEmail, deleteAccount, resetPassword } from '#contract/account.ts'
import { changePassword, login, register } from '#contract/auth.ts'
import { limitAmong, ofNetwork } from './rate-limits.ts'

const PASSWORDS_PER_MINUTE_OF_NETWORK = 30

/** Every door at which a password is hashed. */
const DOORS = [register, login, changePassword, changeEmail, resetPassword, deleteAccount]

/**
 * Counts what is asked at any of these doors for the network together, however many accounts it has: each call costs a
 * hundred times what others do. To be called before the routes are there.
 */
export function limitPasswordCalls(app: FastifyInstance): void {
  const name = 'passwords-of-network'
  const count = limitAmong(app, name, PASSWORDS_PER_MINUTE_OF_NETWORK, '1 minute', ofNetwork)
  app.addHook('onRoute', (route) => {
    // After the body was looked at: what is refused for its form is never hashed.
    if (isDoor(route)) route.preHandler = [route.preHandler ?? [], count].flat()
  })
}

function isDoor({ method, url }: RouteOptions): boolean {
  return DOORS.some((door) => door.method === method && door.url === url)
}
