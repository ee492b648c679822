import { mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { findPostgresBinaries, restoreSymlinks } from './postgres-programs.ts'

it('finds the bundled PostgreSQL of this machine', async () => {
  expect(await findPostgresBinaries()).toMatchObject({ version: '18.4', major: '18' })
})

it('says what to do on a machine for which none is bundled', async () => {
  await expect(findPostgresBinaries('plan9-mips')).rejects.toThrow(
    'No PostgreSQL is bundled for plan9-mips: run npm ci on this machine, or set DATABASE_URL to a PostgreSQL 18 server.',
  )
})

it('creates the links of libraries that an npm package cannot contain', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'revelations-links-'))
  await mkdir(path.join(folder, 'native/lib'), { recursive: true })
  const links = [{ source: 'native/lib/libicuuc.so.60.2', target: 'native/lib/libicuuc.so.60' }]
  await writeFile(path.join(folder, 'native/pg-symlinks.json'), JSON.stringify(links))
  await restoreSymlinks(folder)
  await restoreSymlinks(folder)
  expect(await readlink(path.join(folder, 'native/lib/libicuuc.so.60'))).toBe('libicuuc.so.60.2')
  await rm(folder, { recursive: true })
})
