import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { origin } from './people.ts'

export interface Network {
  /** The product, as this network leads to it. */
  origin: string
  cut: () => Promise<void>
  mend: () => Promise<void>
}

/**
 * A network that can be lost for all of a browser, its workers too, which the browser's own switch leaves out. The device
 * goes on believing that it has one, as phones in tunnels do.
 */
export async function openNetwork(): Promise<Network> {
  const { hostname, port } = new URL(origin())
  const open = new Set<Socket>()
  const track = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
  }
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) track(socket)
    near.pipe(far).pipe(near)
  })
  const listen = async (at: number) => {
    await once(server.listen(at, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const ownPort = await listen(0)
  return {
    origin: `http://127.0.0.1:${ownPort}`,
    cut: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
    mend: async () => void (await listen(ownPort)),
  }
}
