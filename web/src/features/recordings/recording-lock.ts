/*
 * A recording belongs to one tab at a time: the one that records, shows or sends it. The browser lets go of a lock by
 * itself when a tab is closed or crashes.
 */
const PREFIX = 'recording:'
const heldHere = new Set<string>()

export type Release = () => Promise<void>

/** Takes a recording for this tab until what is returned is called; undefined when it is taken already. */
export async function holdRecording(id: string): Promise<Release | undefined> {
  if (heldHere.has(id)) return undefined
  heldHere.add(id)
  const free = await lock(PREFIX + id)
  if (!free) {
    heldHere.delete(id)
    return undefined
  }
  return () => {
    heldHere.delete(id)
    return free()
  }
}

function lock(name: string): Promise<Release | undefined> {
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return Promise.resolve(async () => {})
  return new Promise((resolve, reject) => {
    const over: Promise<unknown> = locks.request(name, { ifAvailable: true }, (granted) => {
      if (!granted) return resolve(undefined)
      return new Promise<void>((free) =>
        resolve(async () => {
          free()
          await over
        }),
      )
    })
    over.catch(reject)
  })
}

/** Those taken by this tab or another. */
export async function listHeldRecordings(): Promise<Set<string>> {
  const { locks } = navigator as { locks?: LockManager }
  const { held = [] } = (await locks?.query()) ?? {}
  const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(PREFIX))
  return new Set([...heldHere, ...names.map((name) => name.slice(PREFIX.length))])
}
