import { createHmac } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { hashToken } from '#server/platform/tokens.ts'
import { pageOf } from './access.rules.ts'
import {
  findDeliveryByKey,
  isKeyRevokedFor,
  type KeyRow,
  replaceKey,
} from './personal-keys.repository.ts'
import {
  deliveryOfKeyName,
  isHandedKeyName,
  type KeyHolder,
  keyNameOf,
} from './personal-keys.rules.ts'

/**
 * The key in the link of the delivery mail, always the same so that a mail sent twice carries the same link, until it
 * is revoked. The database stores its hash alone.
 */
export function personalKeyFor(
  ctx: AppContext,
  deliveryId: string,
  version = 1,
  isHanded = false,
): string {
  const secret = ctx.keyring.secretFor('delivery-links')
  const name = keyNameOf(deliveryId, version, isHanded)
  return createHmac('sha256', secret).update(name).digest('base64url')
}

/** The page of a letter with the key of one of its deliveries: the mailed one, or the one given by hand. */
export function personalLinkOf(
  ctx: AppContext,
  { id, revelationId, keyVersion }: { id: string; revelationId: string; keyVersion: number },
  isHanded = false,
): string {
  const key = personalKeyFor(ctx, id, keyVersion, isHanded)
  return `${pageOf(ctx.config.http, revelationId)}#cle=${key}`
}

/** Whose living key this is; a revoked one is nobody's. The instant is another matter. */
export async function findKeyHolder(
  ctx: AppContext,
  rawKey: string,
): Promise<KeyHolder | undefined> {
  const row = await findDeliveryByKey(ctx.db, { keyHash: hashToken(rawKey) })
  return row && { ...row, deliveryId: row.id, keyName: nameOf(row) }
}

/** The same by the name a media ticket remembers, as long as this very key was not revoked. */
export async function findKeyHolderByName(
  ctx: AppContext,
  keyName: string,
): Promise<KeyHolder | undefined> {
  const which = { id: deliveryOfKeyName(keyName), isHanded: isHandedKeyName(keyName) }
  const row = await findDeliveryByKey(ctx.db, which)
  if (!row || nameOf(row) !== keyName) return undefined
  return { ...row, deliveryId: row.id, keyName }
}

function nameOf({ id, keyVersion, isHanded }: KeyRow): string {
  return keyNameOf(id, keyVersion, isHanded)
}

/** Whether this key opened this revelation once, and was revoked. */
export async function isRevokedKey(
  ctx: AppContext,
  rawKey: string,
  revelationId: string,
): Promise<boolean> {
  return isKeyRevokedFor(ctx.db, hashToken(rawKey), revelationId)
}

/** The keys that a delivery has now, the mailed one and the handed one, open nothing any more. */
export async function revokeKey(
  tx: AppContext,
  delivery: { id: string; revelationId: string; keyHash: Buffer; keyVersion: number },
): Promise<void> {
  const keyVersion = delivery.keyVersion + 1
  const keyHash = hashToken(personalKeyFor(tx, delivery.id, keyVersion))
  await replaceKey(tx.db, delivery, { keyVersion, keyHash }, tx.now())
}
