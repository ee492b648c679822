// Run inside a new network: makes a socket there, hands it to its parent, and leaves when the parent has it.
import { type AddressInfo, createServer } from 'node:net'

const server = createServer()
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port, server)
})
process.on('disconnect', () => process.exit())
