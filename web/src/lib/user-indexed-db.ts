import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

const VERSION = 1

/** Connects to the IndexedDB of one account on this device, which its owner or another tab may erase at any moment. */
export function openUserDatabase<Schema extends DBSchema>(
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
      // Its owner signed out, maybe in another tab: an open connection would delay the deletion.
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
