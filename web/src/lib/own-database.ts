import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

const VERSION = 1

/** Connects to the database that an account has on this device; its owner, or another tab, may erase it at any moment. */
export function openOwnDatabase<Schema extends DBSchema>(
  nameFor: (ownerId: string) => string,
  create: (database: IDBPDatabase<Schema>) => void,
): (ownerId: string) => Promise<IDBPDatabase<Schema>> {
  const connections = new Map<string, Promise<IDBPDatabase<Schema>>>()
  return (ownerId) => {
    const known = connections.get(ownerId)
    if (known) return known
    const forget = () => connections.delete(ownerId)
    const opening = openDB<Schema>(nameFor(ownerId), VERSION, {
      upgrade: create,
      // Its owner signed out, maybe in another tab: whoever keeps it open would keep it alive.
      blocking: (_current, _blocked, event) => {
        forget()
        ;(event.target as IDBDatabase).close()
      },
      terminated: forget,
    })
    connections.set(ownerId, opening)
    opening.catch(forget)
    return opening
  }
}
