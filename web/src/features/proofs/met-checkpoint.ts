import * as z from 'zod/mini'

const NAME = 'log_checkpoint'
const metSchema = z.object({ key: z.string(), checkpoint: z.string() })
type Met = z.infer<typeof metSchema>

/** The last checkpoint that this browser found right: the log must contain all of it for ever. */
export function readMetCheckpoint(): Met | undefined {
  try {
    return metSchema.safeParse(JSON.parse(localStorage.getItem(NAME) ?? 'null')).data
  } catch {
    return undefined
  }
}

export function keepMetCheckpoint(met: Met): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(met))
  } catch {
    // Without room there is nothing to compare with next time, and nothing else is lost.
  }
}
