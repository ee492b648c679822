import { existsSync, realpathSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { Log } from '#server/platform/log.ts'
import { ANSWER_WITHIN_MS, runFfprobe, type ToolPaths, type Tools } from './ffmpeg.ts'
import { type ByteRange, createPlainServer, withPlainSource } from './plain-source.ts'
import { openPrivateNetwork, type PrivateNetwork } from './private-network.ts'
import { scratchParents } from './scratch.ts'
import { type Account, type Confinement, runTool } from './tool-process.ts'

export interface ConfinedTools extends Tools {
  close(): void
}

// Not « nobody »: if the program is root, that account often runs PostgreSQL and owns its files.
const ACCOUNT: Account = { uid: 65_533, gid: 65_533 }

const CHANGE_ACCOUNT = [`--reuid=${ACCOUNT.uid}`, `--regid=${ACCOUNT.gid}`, '--clear-groups']
const NO_CAPABILITIES = ['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all']
/** The tool gains no rights, and dies with this process. */
const BOUND = ['--no-new-privs', '--pdeathsig=KILL', '--']

interface Candidate extends Omit<Confinement, 'addressOf'> {
  network?: PrivateNetwork
  /** Descriptions for the operator. */
  labels: string[]
}

/**
 * Finds the strongest confinement that this system allows: each candidate reads a real source with the real tools.
 * Without any, tools run as the program itself, and the log warns. Another account needs no hidden folders.
 */
export async function confineTools(
  paths: ToolPaths,
  log: Log,
  secretFolders: readonly string[] = [],
): Promise<ConfinedTools> {
  const isRoot = process.getuid?.() === 0
  const network = isRoot
    ? await openPrivateNetwork('as root').catch(noNetwork(log))
    : await openUnprivileged(secretFolders.filter(canBeHidden), log)
  const server = createPlainServer()
  network?.listener.unref().on('connection', (socket) => server.emit('connection', socket))
  const close = () => {
    server.closeAllConnections()
    network?.listener.close()
    network?.close()
  }
  const candidates = isRoot ? asRoot(network) : asOurselves(network)
  for (const candidate of candidates) {
    const confinement = confinementOf(candidate)
    const tools = { ...paths, confinement }
    // Twice: a machine that is busy for a moment must not weaken the confinement until the next start.
    if (!(await works(tools)) && !(await works(tools))) continue
    if (candidate.network === undefined) close()
    const isStrongest = candidate === candidates[0] && (isRoot || network?.hides === true)
    const sentence = `media tools run ${candidate.labels.join(', ')}`
    if (isStrongest) log.info(sentence)
    else log.warn(`${sentence}: ${WEAKER}`)
    return { ...paths, confinement, close }
  }
  close()
  log.warn(`media tools run as this program does: ${WEAKER}`)
  return { ...paths, close: () => undefined }
}

const WEAKER =
  'a stronger confinement failed, see « What ffmpeg may reach » in docs/self-hosting.md'

/** Tools that run as this account could read its files: secret folders are hidden from them, where that works. */
async function openUnprivileged(
  secretFolders: readonly string[],
  log: Log,
): Promise<PrivateNetwork | undefined> {
  const way = 'in a user namespace'
  return openPrivateNetwork(way, secretFolders).catch(() =>
    openPrivateNetwork(way).catch(noNetwork(log)),
  )
}

function noNetwork(log: Log) {
  return (error: unknown) =>
    void log.info({ reason: String(error) }, 'media tools get no network of their own')
}

/** A missing folder needs no hiding, and the folders in which tools write cannot be hidden. */
function canBeHidden(folder: string): boolean {
  if (!existsSync(folder)) return false
  const real = realpathSync(folder)
  return !scratchParents().some((parent) => `${parent}/`.startsWith(`${real.replace(/\/$/, '')}/`))
}

/** From the strongest to the weakest. */
function asRoot(network: PrivateNetwork | undefined): Candidate[] {
  const account = `as uid ${ACCOUNT.uid}`
  const inNetwork = network ? [isolated(network), open()] : [open()]
  return [
    ...inNetwork.flatMap(({ enter, labels, ...rest }) => [
      {
        ...rest,
        prefix: [...enter, 'setpriv', ...CHANGE_ACCOUNT, ...NO_CAPABILITIES, ...BOUND],
        account: ACCOUNT,
        labels: [account, NO_NEW_PRIVILEGES, labels],
      },
      {
        ...rest,
        prefix: [...enter, 'setpriv', ...CHANGE_ACCOUNT, ...BOUND],
        account: ACCOUNT,
        labels: [account, NO_NEW_PRIVILEGES, labels],
      },
    ]),
    ...inNetwork.map(({ enter, labels, ...rest }) => ({
      ...rest,
      prefix: [...enter, 'setpriv', ...NO_CAPABILITIES, ...BOUND],
      labels: ['as root, who alone can reach them', NO_NEW_PRIVILEGES, labels],
    })),
    { prefix: [], account: ACCOUNT, spawnAs: ACCOUNT, labels: [account, open().labels] },
  ]
}

function asOurselves(network: PrivateNetwork | undefined): Candidate[] {
  const account = 'as this account'
  const bound = {
    prefix: ['setpriv', ...BOUND],
    labels: [account, NO_NEW_PRIVILEGES, open().labels],
  }
  if (!network) return [bound]
  const { enter, labels } = isolated(network)
  const sight = network.hides ? ['without sight of keys and data'] : []
  // In the namespace it is root, only over that network: it loses this right too.
  const prefix = [...enter, 'setpriv', ...NO_CAPABILITIES, ...BOUND]
  return [{ network, prefix, labels: [account, NO_NEW_PRIVILEGES, labels, ...sight] }, bound]
}

const NO_NEW_PRIVILEGES = 'with no new privileges'

function isolated(network: PrivateNetwork) {
  return { network, enter: network.enter, labels: 'without network' }
}

function open(): { enter: string[]; labels: string } {
  return { enter: [], labels: 'with the network of this machine' }
}

function confinementOf({ network, labels: _, ...rest }: Candidate): Confinement {
  return { ...rest, addressOf: (url) => (network ? atPort(url, network.port) : url) }
}

function atPort(url: string, port: number): string {
  const address = new URL(url)
  address.port = String(port)
  return address.href
}

async function works(tools: Tools): Promise<boolean> {
  const run = { timeoutMs: ANSWER_WITHIN_MS }
  const { ffmpegPath, confinement } = tools
  const wav = silentWav()
  const sliceOf = async ({ start, end }: ByteRange) => Readable.from([wav.subarray(start, end + 1)])
  const source = { size: wav.length, mimeType: 'audio/wav', read: sliceOf }
  try {
    await runTool({ path: ffmpegPath, args: ['-version'], confinement }, run)
    await withPlainSource(source, (url) => runFfprobe(tools, url, ['-show_format'], run))
    return true
  } catch {
    return false
  }
}

/** A hundredth of a second. */
function silentWav(): Buffer {
  const samples = Buffer.alloc(80, 128)
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8_000, 24)
  header.writeUInt32LE(8_000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}
