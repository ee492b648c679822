import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { StartError } from '#server/platform/start-error.ts'
import { POSTGRES_ENVIRONMENT, type PostgresBinaries } from './postgres-binaries.ts'

const run = promisify(execFile)

/** Whom PostgreSQL runs as. It refuses root, so a program started by root needs somebody else. */
export interface PostgresAccount {
  name: string
  /** Owner of PostgreSQL's files, as the machine sees them. */
  uid: number
  gid: number
  /** Command to put before PostgreSQL's own, when the account is not reached by changing uid. */
  prefix: string[]
}

const NOBODY = { uid: 65_534, gid: 65_534 }

// For a checkout under /root in a container, where user namespaces are not to be had. Without the securebit,
// access(2), which initdb asks about its own binaries, would not see the capability.
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
  const nobody = (await idsOf('nobody')) ?? NOBODY
  // Inside, it is nobody; outside, the files and their reach are ours.
  const mapped: PostgresAccount = {
    name: 'nobody in a user namespace',
    uid,
    gid,
    prefix: ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--'],
  }
  if (uid !== 0) {
    const self: PostgresAccount = { name: 'this user', uid, gid, prefix: [] }
    // initdb wants a uid that has a name, which containers often do not give it.
    return hasName() ? [self] : [mapped, self]
  }
  const accounts: PostgresAccount[] = []
  const owner = await stat(data).catch(() => undefined)
  if (owner && owner.uid !== 0) {
    accounts.push({ name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid, prefix: [] })
  }
  const postgres = await idsOf('postgres')
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

/** The user of that name, or number, and its group; undefined where the machine knows none. */
export async function idsOf(name: string): Promise<{ uid: number; gid: number } | undefined> {
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
