import { delay, HttpResponse, http } from 'msw'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { uploadFile as endpoint } from '#contract/media.ts'
import { onUnauthorized } from '#web/lib/api-client.ts'
import { readToken, saveToken } from '#web/lib/session-token.ts'
import { fakeServer } from '#web/test/fake-api.ts'
import { anUpload } from '#web/test/samples.ts'
import { uploadFile } from './upload-file.ts'

const url = `${window.location.origin}${endpoint.url}`
const film = new File(['x'.repeat(5000)], 'film.mp4', { type: 'video/mp4' })
const fields = { folder: 'videos' } as const

function serverAnswers(respond: () => Response | Promise<Response>) {
  fakeServer.use(http.post(url, respond))
}

afterEach(() => vi.useRealTimers())

describe('a file that arrives', () => {
  test('is sent with its fields before it, and the session', async () => {
    saveToken('jeton')
    let authorization: string | null = null
    let body = ''
    fakeServer.use(
      http.post(url, async ({ request }) => {
        authorization = request.headers.get('authorization')
        body = await request.text()
        return HttpResponse.json(anUpload(), { status: 201 })
      }),
    )
    const outcome = await uploadFile(film, { folder: 'videos', teaserStart: 2, teaserEnd: 12 })
    expect(outcome).toEqual({ state: 'sent', result: anUpload() })
    expect(authorization).toBe('Bearer jeton')
    const names = [...body.matchAll(/name="(\w+)"/g)].map(([, name]) => name)
    expect(names).toEqual(['folder', 'teaserStart', 'teaserEnd', 'teaserData', 'file'])
    expect(body).toContain('2|12')
  })

  test('tells how much of it has left', async () => {
    serverAnswers(() => HttpResponse.json(anUpload(), { status: 201 }))
    const seen: number[] = []
    await uploadFile(film, fields, { onProgress: (loaded) => seen.push(loaded) })
    expect(seen.at(-1)).toBe(film.size)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })
})

describe('a failure has a message for people', () => {
  test.each([401, 403])('%i ends the session', async (status) => {
    saveToken('jeton')
    const ended = vi.fn()
    const stop = onUnauthorized(ended)
    serverAnswers(() => HttpResponse.json({}, { status }))
    expect(await uploadFile(film, fields)).toEqual({
      state: 'failed',
      error: 'Votre session a expiré. Veuillez vous reconnecter.',
      mayRetry: false,
    })
    expect(readToken()).toBeNull()
    expect(ended).toHaveBeenCalledOnce()
    stop()
  })

  test('a session that another tab began meanwhile goes on', async () => {
    saveToken('jeton')
    serverAnswers(() => {
      saveToken('celui d’un autre onglet')
      return HttpResponse.json({}, { status: 401 })
    })
    expect(await uploadFile(film, fields)).toMatchObject({ state: 'failed' })
    expect(readToken()).toBe('celui d’un autre onglet')
  })

  test.each([403, 401])('%i with a reason, or without a session, ends none', async (status) => {
    if (status === 403) saveToken('jeton')
    const ended = vi.fn()
    const stop = onUnauthorized(ended)
    let sentKey: string | null = null
    fakeServer.use(
      http.post(url, ({ request }) => {
        sentKey = request.headers.get('x-delivery-key')
        return HttpResponse.json({ error: 'Pas ici.', code: 'replies_blocked' }, { status })
      }),
    )
    const outcome = await uploadFile(film, fields, { headers: { 'x-delivery-key': 'cle' } })
    expect(outcome).toEqual({ state: 'failed', error: 'Pas ici.', mayRetry: false })
    expect(sentKey).toBe('cle')
    expect(ended).not.toHaveBeenCalled()
    stop()
  })

  test.each([
    [
      400,
      'Le fichier est trop volumineux',
      'Fichier trop volumineux (1 MB). Maximum autorisé: 600MB',
    ],
    [400, 'Fichier invalide', 'Fichier invalide'],
    [
      413,
      'Ce fichier dépasse l’espace qui vous reste.',
      'Ce fichier dépasse l’espace qui vous reste.',
    ],
    [415, 'Type de fichier non autorisé: x/y', 'Type de fichier non autorisé: x/y'],
  ])('%i « %s » is shown as « %s »', async (status, error, sentence) => {
    serverAnswers(() => HttpResponse.json({ error, code: 'x' }, { status }))
    const outcome = await uploadFile(film, fields)
    expect(outcome).toEqual({ state: 'failed', error: sentence, mayRetry: false })
  })

  test('a status without words is shown as it is', async () => {
    serverAnswers(() => new HttpResponse('oops', { status: 502, statusText: 'Bad Gateway' }))
    expect(await uploadFile(film, fields)).toEqual({
      state: 'failed',
      error: 'Upload failed: 502 - Bad Gateway',
      mayRetry: true,
    })
  })

  test('a cut connection may be retried', async () => {
    serverAnswers(() => HttpResponse.error())
    expect(await uploadFile(film, fields)).toEqual({
      state: 'failed',
      error: "Erreur réseau lors de l'upload",
      mayRetry: true,
    })
  })

  test('ten minutes without an end are too long', async () => {
    serverAnswers(async () => {
      await delay('infinite')
      return new HttpResponse()
    })
    const timeouts: number[] = []
    const { set } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'timeout') ?? {}
    vi.spyOn(XMLHttpRequest.prototype, 'timeout', 'set').mockImplementation(function (
      this: XMLHttpRequest,
      milliseconds: number,
    ) {
      timeouts.push(milliseconds)
      set?.call(this, 20)
    })
    expect(await uploadFile(film, fields)).toEqual({
      state: 'failed',
      error: "Timeout - l'upload a pris trop de temps",
      mayRetry: true,
    })
    expect(timeouts).toEqual([600_000])
  })

  test.each([
    ['not JSON', 'bonjour', 'Erreur de parsing de la réponse'],
    ['another shape', '{"url":"/x"}', 'Erreur de parsing de la réponse'],
    [
      'an address without the name of the file',
      JSON.stringify(anUpload({ url: '/api/secure-file/videos/autre.mp4' })),
      'URL de fichier invalide retournée par le serveur',
    ],
  ])('an answer that is %s is a failure', async (_name, body, sentence) => {
    serverAnswers(() => new HttpResponse(body, { status: 201 }))
    expect(await uploadFile(film, fields)).toMatchObject({ state: 'failed', error: sentence })
  })

  test('a transfer that its person gives up is no failure', async () => {
    serverAnswers(async () => {
      await delay('infinite')
      return new HttpResponse()
    })
    const stop = new AbortController()
    const outcome = uploadFile(film, fields, { signal: stop.signal })
    stop.abort()
    expect(await outcome).toEqual({ state: 'cancelled' })
  })
})
