import { createECDH } from 'node:crypto'

/** By which push services know this installation (RFC 8292): a point and a scalar of P-256, base64url. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
}

interface Secrets {
  secretFor(purpose: string): Buffer
}

const known = new WeakMap<Secrets, VapidKeys>()

/** From the master key, so that all machines and a restore are known by the same one. */
export function vapidKeysOf(keyring: Secrets): VapidKeys {
  const keys = known.get(keyring) ?? deriveKeys(keyring)
  known.set(keyring, keys)
  return keys
}

function deriveKeys(keyring: Secrets): VapidKeys {
  for (let attempt = 1; ; attempt += 1) {
    const scalar = keyring.secretFor(`web-push/vapid/${attempt}`)
    const pair = createECDH('prime256v1')
    try {
      pair.setPrivateKey(scalar)
    } catch {
      // One secret in four thousand million is no scalar of the curve: the next one is.
      continue
    }
    return {
      publicKey: pair.getPublicKey('base64url'),
      privateKey: scalar.toString('base64url'),
    }
  }
}
