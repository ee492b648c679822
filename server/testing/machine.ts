import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'

/** A disk of its own, of 2 MiB as a rule; the test is skipped where none may be mounted. */
export async function mountSmallDisk(context: TestContext, sizeMib = 2): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'small-disk-'))
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', folder]
    execFileSync('mount', options, { stdio: 'ignore' })
  } catch {
    context.skip('mounting a small disk is not permitted here')
  }
  onTestFinished(async () => {
    execFileSync('umount', [folder])
    await rm(folder, { recursive: true })
  })
  return folder
}

/** Runs `work` as an account without rights: root, which tests often are, may read and write everywhere. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
