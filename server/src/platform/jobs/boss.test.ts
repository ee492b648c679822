import { expect, it } from 'vitest'
import { startTestServer } from '#testing/test-server.ts'

it('says in words what the queue could not do', async () => {
  const lines: string[] = []
  const server = await startTestServer({ log: { write: (line) => void lines.push(line) } })
  try {
    // As it tells of a worker: an object, not an error.
    const failure = { message: 'no room left', stack: '', queue: 'send-mail' }
    server.ctx.boss.emit('error', failure as unknown as Error)
    const line = lines.find((one) => one.includes('job queue'))
    expect(line).toMatch(/no room left.*send-mail|send-mail.*no room left/)
    expect(line).not.toContain('[object Object]')
  } finally {
    await server.close()
  }
})
