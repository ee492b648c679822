import pg from 'pg'
import { vi } from 'vitest'

/**
 * The connection that is sent `statement` next after one that begins with `after` breaks once PostgreSQL has done it: it
 * stands, and nobody here knows. Once only.
 */
export function loseAnswer(statement: string, after: string) {
  const query = pg.Client.prototype.query as (...parameters: unknown[]) => Promise<unknown>
  let armed: object | undefined
  let losses = 0
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...parameters: unknown[]
  ) {
    const [first] = parameters
    const text = typeof first === 'string' ? first : String((first as { text?: string })?.text)
    if (losses === 0 && text.startsWith(after)) armed = this
    if (armed !== this || text.toLowerCase() !== statement) {
      return query.apply(this, parameters) as never
    }
    armed = undefined
    losses += 1
    return query.apply(this, parameters).then(() => {
      throw new Error('Connection terminated unexpectedly')
    }) as never
  } as never)
  return { count: () => losses, stop: () => spy.mockRestore() }
}
