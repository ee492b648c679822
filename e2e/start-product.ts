import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startProgram } from '../server/test/program.ts'

/** The product as people run it, on a folder of its own, mails in its outbox. */
export default async function startProduct(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'revelations-e2e-'))
  const dataDir = path.join(folder, 'data')
  const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'info' })
  process.env.E2E_ORIGIN = program.origin
  process.env.E2E_OUTBOX = path.join(dataDir, 'outbox')
  return async () => {
    await program.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}
