import { expect, it } from 'vitest'
import { startTestServer } from '#testing/test-server.ts'
import { createLog } from './log.ts'

it('leaves out the headers of requests, which hold tokens and sizes', () => {
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  const headers = { authorization: 'Bearer secret', 'content-length': '4242' }
  log.trace({ headers, method: 'POST' }, 'a request')
  log.child({ reqId: 'req-1' }).trace({ options: { headers, fileSize: 9 } }, 'its options')
  expect(lines).toHaveLength(2)
  expect(lines.join('')).toMatch(/"method":"POST".*"fileSize":9/s)
  expect(lines.join('')).not.toMatch(/secret|4242/)
})

it('leaves out the row that PostgreSQL refused', async () => {
  const lines: string[] = []
  const server = await startTestServer({ log: { write: (line) => void lines.push(line) } })
  try {
    const { pool, log } = server.ctx
    const refused = await pool
      .query(
        `insert into users (email, email_key, pseudo, pseudo_key, password_hash, created_at)
         values ('paul@secret.test', 'paul', 'Paul', null, '', now())`,
      )
      .catch((error) => error)
    expect(refused.detail).toContain('paul@secret.test')
    log.error({ err: refused }, 'refused')
    server.app.log.child({ reqId: 'req-1' }).error({ err: refused }, 'refused')
    expect(lines.filter((line) => line.includes('null value in column'))).toHaveLength(2)
    expect(lines.join('')).not.toContain('paul@secret.test')
  } finally {
    await server.close()
  }
})
