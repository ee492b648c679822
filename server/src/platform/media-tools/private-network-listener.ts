// Runs inside a new network: creates a socket there, sends it to the parent process, and exits once the parent has it.
import { type AddressInfo, createServer } from 'node:net'

const server = createServer()
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port, server)
})
process.on('disconnect', () => process.exit())
