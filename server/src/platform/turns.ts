const lastOf = new Map<string, Promise<unknown>>()

/** Runs what is asked under one name one after another in this process. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const turn = (lastOf.get(name) ?? Promise.resolve()).then(work, work)
  lastOf.set(name, turn)
  try {
    return await turn
  } finally {
    if (lastOf.get(name) === turn) lastOf.delete(name)
  }
}
