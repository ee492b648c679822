import pg from 'pg'
import { expect, vi } from 'vitest'
import { BITMAPS_APPLICATION, BITMAPS_WITHOUT } from '#server/platform/database/database.ts'

export interface Statement {
  text: string
  values: unknown[]
  /** The ways of planning that its connection leaves out. */
  settingsOff: string[]
}

function connectionOf(client: pg.Client) {
  return (client as unknown as { connectionParameters?: { application_name?: string } })
    .connectionParameters
}

/** Records every statement sent to PostgreSQL. */
export function watchStatements() {
  const sent: Statement[] = []
  const original = pg.Client.prototype.query as (...parameters: unknown[]) => unknown

  function note(client: pg.Client, parameters: unknown[]): void {
    const [first, second] = parameters
    const config = typeof first === 'object' && first ? (first as Partial<Statement>) : {}
    const text = typeof first === 'string' ? first : config.text
    if (text === undefined) return
    const values = (second ?? config.values ?? []) as unknown[]
    if (/^\s*(begin|commit|rollback|set)\b/i.test(text)) return
    const isByBitmaps = connectionOf(client)?.application_name === BITMAPS_APPLICATION
    sent.push({ text, values, settingsOff: isByBitmaps ? BITMAPS_WITHOUT : [] })
  }

  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...parameters: unknown[]
  ) {
    note(this, parameters)
    return original.apply(this, parameters) as never
  } as never)
  return {
    /** The statements since the last call. */
    drain(): Statement[] {
      return sent.splice(0)
    },
    stop: () => spy.mockRestore(),
  }
}

/**
 * Breaks a connection once, after PostgreSQL has executed `statement` on it following one that begins with `after`: the
 * change stands, and its sender does not know.
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

/** Resolves once so many transactions wait for the lock of another. */
export function untilWaiting(client: Pick<pg.Pool, 'query'>, count = 1): Promise<void> {
  return vi.waitFor(async () => {
    const { rows } = await client.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    expect(rows).toHaveLength(count)
  })
}
