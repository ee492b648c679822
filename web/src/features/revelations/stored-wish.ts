import { DRAFT_PREFIX } from './erase-drafts.ts'

/** Its author asked for it to be sealed when the network is back; until then it is a draft like any other. */
export interface SealWish {
  notifiesNow: boolean
}

// Erased with the drafts, when its owner leaves.
const KEY = `${DRAFT_PREFIX}wish:`

export function readWish(userId: string): SealWish | undefined {
  try {
    const { notifiesNow }: Partial<SealWish> = JSON.parse(localStorage.getItem(KEY + userId) ?? '')
    return notifiesNow === undefined ? undefined : { notifiesNow }
  } catch {
    return undefined
  }
}

export function keepWish(userId: string, wish: SealWish): void {
  try {
    localStorage.setItem(KEY + userId, JSON.stringify(wish))
  } catch {
    // A device without room waits as long as the page is open.
  }
}

export function eraseWish(userId: string): void {
  localStorage.removeItem(KEY + userId)
}
