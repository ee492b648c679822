import { expect, it } from 'vitest'
import { isUnavailable } from './sql-errors.ts'

const failure = (facts: { code?: string; syscall?: string; message?: string }) =>
  Object.assign(new Error(facts.message ?? 'no'), facts)

it.each([
  { code: '57P03', message: 'the database system is starting up' },
  { code: '57P01', message: 'terminating connection due to administrator command' },
  { code: '53300', message: 'sorry, too many clients already' },
  { code: '57014', message: 'canceling statement due to statement timeout' },
  { code: '40P01' },
  { code: 'ECONNREFUSED' },
  { code: 'ENOENT', syscall: 'connect' },
  { message: 'Connection terminated unexpectedly' },
  { message: 'timeout exceeded when trying to connect' },
])('takes %o for what may be asked again in a moment', (facts) => {
  expect(isUnavailable(failure(facts))).toBe(true)
})

it.each([{ code: '23505' }, { code: '42P01' }, { code: 'ENOENT', syscall: 'open' }, {}])(
  'takes %o for a bug',
  (facts) => {
    expect(isUnavailable(failure(facts))).toBe(false)
  },
)
