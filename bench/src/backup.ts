import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '#server/config.ts'
import { createContext } from '#server/create-context.ts'
import { hooks } from '#server/hooks.ts'
import { createLog } from '#server/platform/log.ts'
import { seedDatabase } from '#server/seed/seed-database.ts'
import type { AtEnd } from './clean-up.ts'
import { describeMachine, watchForeignCpu } from './machine.ts'
import { attachFiles } from './sealed-files.ts'

const FILE_BYTES = 5_000_000
const COMMANDS = path.resolve(import.meta.dirname, '../../server/src/operator')

const runTool = promisify(execFile)

/** The duration of a backup, its restore and the opening of everything, beside a copy of the same bytes. */
export async function run(
  { gigabytes, revelations }: { gigabytes: number; revelations: number },
  atEnd: AtEnd,
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'revelations-bench-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const source = path.join(folder, 'source')
  const target = path.join(folder, 'target')
  const backup = path.join(folder, 'backup')
  await createInstallation(source, gigabytes, revelations)
  console.log(describeMachine())
  console.log(`${revelations} revelations, ${gigabytes} GB of sealed files.\n`)
  const rows: Record<string, object> = {}
  async function time(name: string, work: () => Promise<string>): Promise<void> {
    const foreign = await watchForeignCpu()
    const startedAt = performance.now()
    const summary = await work()
    const seconds = (performance.now() - startedAt) / 1000
    rows[name] = {
      seconds: Math.round(seconds * 10) / 10,
      'MB/s': Math.round((gigabytes * 1000) / seconds),
      'cores busy elsewhere': Math.round((await foreign()) * 10) / 10,
    }
    console.log(`${name}, ${Math.round(seconds)} s: ${summary}`)
  }
  const command = (name: string, dataDir: string, ...args: string[]) =>
    runCommand(path.join(COMMANDS, `${name}.ts`), dataDir, args)
  await time('cp and sync of the same files', () => copyPlainly(source, path.join(folder, 'plain')))
  await time('backup', () => command('backup', source, backup))
  await time('backup again', () => command('backup', source, backup))
  await time('backup --verify', () => command('backup', source, '--verify', backup))
  await mkdir(target)
  await cp(path.join(source, 'keys'), path.join(target, 'keys'), { recursive: true })
  await time('restore', () => command('restore', target, backup))
  await time('verify', () => command('verify', target))
  console.table(rows)
}

async function createInstallation(
  dataDir: string,
  gigabytes: number,
  revelations: number,
): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDir, PATH: process.env.PATH })
  const ctx = await createContext(config, {
    log: createLog('error', process.stderr),
    jobs: [],
    hooks,
  })
  try {
    await seedDatabase(ctx, { users: Math.max(1, Math.round(revelations / 100)), revelations })
    const count = Math.round((gigabytes * 1e9) / FILE_BYTES)
    await attachFiles(ctx, { count, sizeBytes: FILE_BYTES })
  } finally {
    await ctx.close()
  }
}

async function copyPlainly(source: string, target: string): Promise<string> {
  await runTool('cp', ['-a', path.join(source, 'files'), target])
  await runTool('sync', ['-f', target])
  await rm(target, { recursive: true })
  return 'copied.'
}

/** The last line of its output. */
async function runCommand(script: string, dataDir: string, args: string[]): Promise<string> {
  const { PATH } = process.env
  const env = { PATH, DATA_DIR: dataDir }
  const { stdout } = await runTool(process.execPath, [script, ...args], { env })
  return stdout.trim()
}
