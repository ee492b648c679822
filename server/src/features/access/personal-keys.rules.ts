/** The bearer of a living personal key. `keyName` goes with this very key: the next one has another. */
export interface KeyHolder {
  keyName: string
  keyVersion: number
  deliveryId: string
  revelationId: string
  /** When its bearer broke the seal. */
  sealBrokenAt: Date | null
}

/** A key of a delivery: each revocation begins the next version. The first bears the delivery’s own name. */
export function keyNameOf(deliveryId: string, version: number): string {
  return version === 1 ? deliveryId : `${deliveryId}/${version}`
}

export function deliveryOfKeyName(keyName: string): string {
  return keyName.split('/', 1)[0] ?? ''
}
