/** The bearer of a living personal key. `keyName` goes with this very key: the next one has another. */
export interface KeyHolder {
  keyName: string
  /** It is the one that the author gave by hand: what became of the mailed one is none of its bearer’s business. */
  isHanded: boolean
  keyVersion: number
  deliveryId: string
  revelationId: string
  /** When a bearer of this key broke the seal. */
  sealBrokenAt: Date | null
}

const BY_HAND = '/hand'

/**
 * A key of a delivery: each revocation begins the next version. The first bears the delivery’s own name. The one that is
 * given by hand has the versions of the other, so that one revocation ends both.
 */
export function keyNameOf(deliveryId: string, version: number, isHanded = false): string {
  const name = version === 1 ? deliveryId : `${deliveryId}/${version}`
  return isHanded ? name + BY_HAND : name
}

export function isHandedKeyName(keyName: string): boolean {
  return keyName.endsWith(BY_HAND)
}

export function deliveryOfKeyName(keyName: string): string {
  return keyName.split('/', 1)[0] ?? ''
}
