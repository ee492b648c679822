import type pg from 'pg'

/** Which transactions a new query sees, and of which server: as long as both are the same, so is every row. */
const QUESTION = {
  name: 'snapshot',
  text: `select pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text as snapshot`,
}

/**
 * The snapshot of the database at an instant after the call. Callers that wait together share one question, but
 * never one that was under way when they came.
 */
export function watchSnapshots(pool: pg.Pool): () => Promise<string> {
  let running: Promise<string> | undefined
  let next: Promise<string> | undefined

  async function ask(): Promise<string> {
    const { rows } = await pool.query<{ snapshot: string }>(QUESTION)
    return (rows[0] as { snapshot: string }).snapshot
  }

  function start(): Promise<string> {
    const asked = ask()
    running = asked
    const end = () => {
      if (running === asked) running = undefined
    }
    asked.then(end, end)
    return asked
  }

  function startNext(): Promise<string> {
    next = undefined
    return start()
  }

  return () => {
    if (!running) return start()
    next ??= running.then(startNext, startNext)
    return next
  }
}
