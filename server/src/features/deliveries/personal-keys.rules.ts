/** A key of a delivery: each revocation makes the next version. The first bears the delivery’s own name. */
export function keyNameOf(deliveryId: string, version: number): string {
  return version === 1 ? deliveryId : `${deliveryId}/${version}`
}

export function deliveryOfKeyName(keyName: string): string {
  return keyName.split('/', 1)[0] ?? ''
}
