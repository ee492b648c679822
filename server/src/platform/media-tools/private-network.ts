import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Server } from 'node:net'
import path from 'node:path'

const LISTENER = path.join(import.meta.dirname, 'private-network-listener.ts')

/** A network of its own, in which only `listener` can be reached. */
export interface PrivateNetwork {
  port: number
  /** Whether processes in it find the hidden folders empty. */
  hides: boolean
  /** A socket of that network, served by this process: a socket stays in the network that created it. */
  listener: Server
  /** Command to put before another so that it runs in there. */
  enter: string[]
  close(): void
}

/** Root may create a network by itself; other accounts need a user namespace around it. */
type Way = 'as root' | 'in a user namespace'

// The loopback interface of a new network is down. Every Debian without iproute2 has perl: it reads the interface's flags
// (SIOCGIFFLAGS) and sets them with IFF_UP (SIOCSIFFLAGS).
const LOOPBACK_UP = `ip link set lo up 2>/dev/null || perl -e '
  use Socket; socket(my $s, PF_INET, SOCK_DGRAM, 0) or die;
  my $r = pack("a16 s x14", "lo", 0); ioctl($s, 0x8913, $r) or die;
  my (undef, $f) = unpack("a16 s", $r); $r = pack("a16 s x14", "lo", $f | 1); ioctl($s, 0x8914, $r) or die'`

// A process in a user namespace cannot unmount it, not even from a namespace inside.
const HIDE = `for folder do
  [ ! -d "$folder" ] || mount -t tmpfs -o size=4k,mode=555 tmpfs "$folder" || exit
done`

/**
 * Creates a network for the tools of this process, with a view of the files without the `hidden` folders. A file
 * descriptor of this process keeps it alive. Throws if the system does not allow it.
 */
export async function openPrivateNetwork(
  way: Way,
  hidden: readonly string[] = [],
): Promise<PrivateNetwork> {
  const isRoot = way === 'as root'
  const hides = hidden.length > 0
  const namespaces = isRoot ? ['--net'] : ['--user', '--map-root-user', '--net']
  if (hides) namespaces.push('--mount')
  const script = `{ ${LOOPBACK_UP}; } || exit
    node=$1 listener=$2; shift 2; ${HIDE}; exec "$node" "$listener"`
  const program = [process.execPath, LISTENER, ...hidden]
  const args = [...namespaces, '--', '/bin/sh', '-c', script, 'sh', ...program]
  const child = spawn('unshare', args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // No other variable: under `node --watch` it would send its imports instead of its socket.
    // biome-ignore lint/style/noProcessEnv: the path of commands is no setting of this program
    env: { PATH: process.env.PATH },
  })
  const descriptors: number[] = []
  const close = () => {
    for (const descriptor of descriptors.splice(0)) closeSync(descriptor)
  }
  try {
    const { port, listener } = await receiveListener(child)
    const openNamespace = (kind: 'net' | 'user' | 'mnt', option: string = kind) => {
      const descriptor = openSync(`/proc/${child.pid}/ns/${kind}`, 'r')
      descriptors.push(descriptor)
      return `--${option}=/proc/${process.pid}/fd/${descriptor}`
    }
    const files = hides ? [openNamespace('mnt', 'mount')] : []
    const enter = isRoot
      ? ['nsenter', openNamespace('net'), ...files, '--']
      : [
          'nsenter',
          openNamespace('user'),
          openNamespace('net'),
          ...files,
          '--preserve-credentials',
          '--',
        ]
    return { port, hides, listener, enter, close }
  } catch (error) {
    close()
    throw error
  } finally {
    if (child.connected) child.disconnect()
  }
}

async function receiveListener(child: ChildProcess): Promise<{ port: number; listener: Server }> {
  const failed = Promise.race([
    once(child, 'exit').then(([code]) => new Error(`unshare ended with code ${code}`)),
    once(child, 'error').then(([error]) => error),
  ]).then((error) => Promise.reject(error))
  const [port, listener] = await Promise.race([once(child, 'message'), failed])
  return { port, listener }
}
