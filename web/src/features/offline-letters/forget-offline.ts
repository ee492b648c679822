import { hasOfflineLetters, isOfflineCheckDue, LINKS_OWNER } from './offline-database.ts'

/** The device forgets the link of a letter, and with it what the link alone could read. */
export async function dropOfflineOfLink(id: string): Promise<void> {
  if (!hasOfflineLetters()) return
  const { deleteLetter } = await import('./offline-store.ts')
  await deleteLetter(LINKS_OWNER, id).catch(() => undefined)
}

/** Wherever one is, what may not be read any more goes as soon as the server can be asked, once an hour. */
export async function checkOffline(): Promise<void> {
  if (!hasOfflineLetters() || !isOfflineCheckDue()) return
  const { updateOffline } = await import('./offline-letters.ts')
  await updateOffline().catch(() => undefined)
}

/** The session ended by itself: what it kept leaves with it. */
export async function dropOfflineOfAccounts(): Promise<void> {
  if (!hasOfflineLetters()) return
  const { deleteAccounts } = await import('./offline-store.ts')
  await deleteAccounts().catch(() => undefined)
}
