import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'

/** A disk of 2 MiB of its own; the test is skipped where none may be mounted. */
export async function mountSmallDisk(context: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    context.skip('mounting a small disk is not permitted here')
  }
  onTestFinished(async () => {
    execFileSync('umount', [folder])
    await rm(folder, { recursive: true })
  })
  return folder
}
