import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { login, verifyToken } from '#contract/auth.ts'
import { getRevelation, listRevelations } from '#contract/revelations.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { aPage, aUser } from '#web/test/samples.ts'
import { type ApiError, callApi, onUnauthorized } from './api-client.ts'
import { readToken, saveToken } from './session-token.ts'

const url = `${window.location.origin}/api/auth/verify-token`

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  return call.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error) => error,
  )
}

describe('a call', () => {
  test('carries the token, the parameters and what is asked', async () => {
    saveToken('my-token')
    const seen: unknown[] = []
    fakeServer.use(
      answer(listRevelations, ({ query, headers }) => {
        seen.push(query, headers.get('authorization'))
        return aPage([])
      }),
      answer(getRevelation, ({ params }) => {
        seen.push(params)
        return refusal('not_found')
      }),
    )
    await callApi(listRevelations, { querystring: { q: 'été & hiver', status: 'pending' } })
    await failureOf(callApi(getRevelation, { params: { id: 'a/b' } }))
    expect(seen).toEqual([
      { q: 'été & hiver', status: 'pending' },
      'Bearer my-token',
      { id: 'a/b' },
    ])
  })

  test('throws the server’s sentence, code and fields', async () => {
    const fields = { email: 'Email requis' }
    fakeServer.use(answer(login, refusal('invalid_input', fields)))
    const failure = await failureOf(callApi(login, { body: { email: '', password: '' } }))
    expect(failure).toMatchObject({ status: 400, code: 'invalid_input', fields })
    expect(failure.message).toBe('Certaines informations ne sont pas valides')
  })

  test.each([
    ['an error without sentence', () => HttpResponse.json({}, { status: 500 }), 'Erreur API'],
    [
      'an answer that is no JSON',
      () => new HttpResponse('<html>', { status: 502, statusText: 'Bad Gateway' }),
      'HTTP 502: Bad Gateway',
    ],
    [
      'a success of another shape',
      () => HttpResponse.json({ user: { id: 1 } }),
      'Invalid response format',
    ],
    ['a success that is no JSON', () => new HttpResponse('oui'), 'Invalid response format'],
    [
      'a network that is down',
      () => HttpResponse.error(),
      'Impossible de joindre le site. Vérifiez votre connexion, puis réessayez.',
    ],
  ])('tells of %s', async (_name, respond, message) => {
    fakeServer.use(http.get(url, respond))
    expect((await failureOf(callApi(verifyToken))).message).toBe(message)
  })

  test('gives up after ten seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      expect(ms).toBe(10_000)
      const controller = new AbortController()
      setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), 10)
      return controller.signal
    })
    fakeServer.use(http.get(url, () => new Promise<never>(() => {})))
    expect((await failureOf(callApi(verifyToken))).code).toBe('timeout')
    timeout.mockRestore()
  })

  test('answered 401 drops the dead token and tells the app once', async () => {
    saveToken('dead')
    const listener = vi.fn()
    const stop = onUnauthorized(listener)
    fakeServer.use(answer(verifyToken, refusal('unauthenticated')))
    await failureOf(callApi(verifyToken))
    stop()
    expect(readToken()).toBeNull()
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('answered 401 late leaves a newer session alone', async () => {
    saveToken('old')
    const listener = vi.fn()
    const stop = onUnauthorized(listener)
    fakeServer.use(
      answer(verifyToken, () => {
        saveToken('new')
        return refusal('unauthenticated')
      }),
    )
    await failureOf(callApi(verifyToken))
    stop()
    expect(readToken()).toBe('new')
    expect(listener).not.toHaveBeenCalled()
  })

  test('gives what the contract promises, and nothing besides', async () => {
    const user = aUser()
    fakeServer.use(http.get(url, () => HttpResponse.json({ user: { ...user, extra: 1 } })))
    expect(await callApi(verifyToken)).toEqual({ user })
  })
})
