import { PASSWORD } from '#test/test-server.ts'
import type { Question } from './questions.ts'
import { OBSERVERS } from './trace.ts'

const MADE_UP = 'A'.repeat(43)

/** What anybody may try about the address and the password of anybody. */
export function* aboutAccounts(): Generator<Question> {
  for (const by of OBSERVERS) {
    const credentials = { by }
    const asked = (method: string, path: string, body?: object) => () => ({
      method,
      path: `/api/auth/${path}`,
      body,
    })
    yield { credentials, asked: asked('GET', 'account/deletion') }
    yield { credentials, asked: asked('POST', 'send-verification') }
    for (const path of ['verify-email', 'email-link', 'refuse-email']) {
      yield { credentials, asked: asked('POST', path, { token: MADE_UP }), isRefused: true }
    }
    yield {
      credentials,
      asked: asked('POST', 'reset-password', { token: MADE_UP, password: PASSWORD }),
      isRefused: true,
    }
  }
  for (const email of ['author@exemple.test', 'personne@exemple.test']) {
    const body = { email }
    yield {
      credentials: { by: 'visitor' },
      asked: () => ({ method: 'POST', path: '/api/auth/forgot-password', body }),
    }
    yield {
      credentials: { by: 'stranger' },
      asked: () => ({
        method: 'POST',
        path: '/api/auth/change-email',
        body: { email, password: PASSWORD },
      }),
    }
  }
  yield {
    credentials: { by: 'stranger' },
    asked: () => ({ method: 'DELETE', path: '/api/auth/account', body: { password: 'faux' } }),
    isRefused: true,
  }
}
