import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DataKey, loadKeyring } from '#server/platform/sealing/keyring.ts'

/** A data key of its own, under a master key that is forgotten at once. */
export async function newDataKey(): Promise<DataKey> {
  const dataDir = await mkdtemp(join(tmpdir(), 'data-key-'))
  const keyring = await loadKeyring({
    dataDir,
    masterKeyFile: undefined,
    expectedFingerprint: undefined,
    log: { warn: () => {} },
  })
  await rm(dataDir, { recursive: true })
  return keyring.createDataKey('test').dataKey
}
