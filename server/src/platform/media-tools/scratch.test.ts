import { spawnSync } from 'node:child_process'
import { mkdir, readdir, rm, stat, statfs, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createScratch, sweepScratch } from './scratch.ts'

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

function deadPid(): number {
  return Number(spawnSync('/bin/sh', ['-c', 'echo $$']).stdout)
}

test('a scratch folder is private and goes with what is in it', async () => {
  const scratch = await createScratch()
  const { mode } = await stat(scratch.folder)
  expect(mode & 0o777).toBe(0o700)
  await writeFile(path.join(scratch.folder, 'variant'), 'secret')
  await scratch.remove()
  expect(await exists(scratch.folder)).toBe(false)
})

test('it is in memory where the machine has room there, and says so', async () => {
  const scratch = await createScratch()
  const { type } = await statfs(scratch.folder)
  expect(scratch.inMemory).toBe(type === 0x01021994)
  await scratch.remove()
  const tooLarge = await createScratch(2 ** 50)
  expect(tooLarge.inMemory).toBe(false)
  expect(path.dirname(tooLarge.folder)).toBe(os.tmpdir())
  await tooLarge.remove()
})

test('what a dead process left is swept, what a living one uses stays', async () => {
  const mine = await createScratch()
  const parent = path.dirname(mine.folder)
  const inFolder = (name: string) => path.join(parent, name)
  const dead = inFolder(`revelations-scratch-${deadPid()}-abcdef`)
  const earlier = inFolder(`revelations-scratch-${process.pid}-earlier`)
  const living = inFolder(`revelations-scratch-${process.ppid}-abcdef`)
  const foreign = inFolder(`revelations-something-else-${process.pid}`)
  for (const folder of [dead, earlier, living, foreign]) {
    // A run that was killed may have left a folder of the same name.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
  }
  await writeFile(path.join(dead, 'variant'), 'secret')
  await sweepScratch()
  const left = await Promise.all([dead, earlier, living, foreign, mine.folder].map(exists))
  expect(left).toEqual([false, false, true, true, true])
  await mine.remove()
})

test('a link that bears the name of a dead process is not followed', async () => {
  const mine = await createScratch()
  const link = path.join(path.dirname(mine.folder), `revelations-scratch-${deadPid()}-link`)
  await writeFile(path.join(mine.folder, 'kept'), '')
  await symlink(mine.folder, link)
  await sweepScratch()
  expect(await readdir(mine.folder)).toEqual(['kept'])
  await rm(link)
  await mine.remove()
})
