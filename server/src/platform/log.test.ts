import { expect, it } from 'vitest'
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
