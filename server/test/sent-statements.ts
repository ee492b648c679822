import pg from 'pg'
import { vi } from 'vitest'

export interface Statement {
  text: string
  values: unknown[]
  /** What was set for its transaction. */
  settings: string[]
}

/** Everything that is sent to PostgreSQL until it is taken. */
export function watchStatements() {
  const settings = new WeakMap<object, string[]>()
  let sent: Statement[] = []
  const original = pg.Client.prototype.query as (...parameters: unknown[]) => unknown

  function note(client: object, parameters: unknown[]): void {
    const [first, second] = parameters
    const config = typeof first === 'object' && first ? (first as Partial<Statement>) : {}
    const text = typeof first === 'string' ? first : config.text
    if (text === undefined) return
    const values = (second ?? config.values ?? []) as unknown[]
    if (/^\s*(begin|commit|rollback)/i.test(text)) settings.delete(client)
    else if (text.includes("set_config('statement_timeout'")) return
    else if (text.includes('set_config')) {
      const isOff = values.includes('off')
      const names = [...text.matchAll(/'(enable_\w+)'/g)].map(([, name]) => name as string)
      settings.set(client, isOff ? names : [])
    } else sent.push({ text, values, settings: settings.get(client) ?? [] })
  }

  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: object,
    ...parameters: unknown[]
  ) {
    note(this, parameters)
    return original.apply(this, parameters) as never
  } as never)
  return {
    take(): Statement[] {
      const taken = sent
      sent = []
      return taken
    },
    stop: () => spy.mockRestore(),
  }
}
