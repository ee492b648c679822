const lastOf = new Map<string, Promise<unknown>>()

/**
 * Runs what is asked for one account one after another in this process: tries sent all at once are counted like
 * tries sent in turn, and a password that is being changed opens no session meanwhile.
 */
export async function inTurnOf<T>(account: string, work: () => Promise<T>): Promise<T> {
  const turn = (lastOf.get(account) ?? Promise.resolve()).then(work, work)
  lastOf.set(account, turn)
  try {
    return await turn
  } finally {
    if (lastOf.get(account) === turn) lastOf.delete(account)
  }
}
