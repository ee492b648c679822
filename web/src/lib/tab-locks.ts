/*
 * What one tab works on, no other tab of this browser takes up meanwhile. The browser lets go of a lock by itself when
 * a tab is closed or crashes.
 */
const heldHere = new Set<string>()

export type Release = () => Promise<void>

/** Takes a name for this tab until what is returned is called; undefined when it is taken already. */
export async function holdInThisTab(name: string): Promise<Release | undefined> {
  if (heldHere.has(name)) return undefined
  heldHere.add(name)
  const free = await lock(name)
  if (!free) {
    heldHere.delete(name)
    return undefined
  }
  return () => {
    heldHere.delete(name)
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

/** What follows the prefix in the names taken by this tab or another. */
export async function listHeld(prefix: string): Promise<Set<string>> {
  const { locks } = navigator as { locks?: LockManager }
  const { held = [] } = (await locks?.query()) ?? {}
  const names = [...heldHere, ...held.map(({ name = '' }) => name)]
  return new Set(
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
  )
}
