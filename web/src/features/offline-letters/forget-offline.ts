import {
  hasOfflineLetters,
  isOfflineCheckDue,
  LINKS_OWNER,
  offlineOwner,
} from './offline-database.ts'

/** The device forgets the link of a letter, and with it what the link alone could read. */
export function dropOfflineOfLink(id: string): Promise<void> {
  return drop(LINKS_OWNER, id)
}

/** The account has the letter no more; what a link stored stays. */
export function dropOfflineOfAccount(id: string): Promise<void> {
  return drop(offlineOwner(), id)
}

async function drop(owner: string, id: string): Promise<void> {
  if (!hasOfflineLetters()) return
  const { deleteLetter } = await import('./offline-store.ts')
  await deleteLetter(owner, id).catch(() => undefined)
}

/** Wherever one is, what may not be read any more goes as soon as the server can be asked, once an hour. */
export async function checkOffline(): Promise<void> {
  if (!hasOfflineLetters() || !isOfflineCheckDue()) return
  const { updateOffline } = await import('./offline-letters.ts')
  await updateOffline().catch(() => undefined)
}

/** The session ended by itself: what it stored leaves with it. */
export async function dropOfflineOfAccounts(): Promise<void> {
  if (!hasOfflineLetters()) return
  const { deleteAccounts } = await import('./offline-store.ts')
  await deleteAccounts().catch(() => undefined)
}
