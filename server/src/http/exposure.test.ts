import { expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { startTestServer } from '#testing/test-server.ts'
import { listExposureWarnings } from './exposure.ts'

it.each([
  [{}, []],
  [{ HOST: '::1', PUBLIC_URL: 'http://localhost:3000' }, []],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://exemple.fr', TRUSTED_PROXIES: '10.0.0.5' }, []],
  [{ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.5' }, [/^PUBLIC_URL .*HOST=0\.0\.0\.0/]],
  [
    { HOST: '::', PUBLIC_URL: 'http://[::1]:3000', TRUSTED_PROXIES: '10.0.0.5' },
    [/^PUBLIC_URL .*HOST=::/],
  ],
  [{ ROLE: 'worker', HOST: '0.0.0.0' }, []],
  [{ SMTP_URL: 'smtp://127.0.0.1:1025' }, []],
  [{ ROLE: 'worker', SMTP_URL: 'smtps://mail.exemple.fr' }, [/^PUBLIC_URL .* while mails leave/]],
  [{ HOST: '192.0.2.1', PUBLIC_URL: 'https://exemple.fr' }, [/^TRUSTED_PROXIES is empty/]],
  [{ RATE_LIMITS: 'off' }, [/^RATE_LIMITS is off/]],
])('with %o warns of %j', (environment, sentences) => {
  expect(listExposureWarnings(readConfig(environment))).toEqual(
    sentences.map((sentence) => expect.stringMatching(sentence)),
  )
})

it('says once that a proxy is not believed, or that PUBLIC_URL is not where it stands', async () => {
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const server = await startTestServer({ log })
  const requestFrom = (remoteAddress: string, headers = {}) =>
    server.app.inject({ url: '/api/site', remoteAddress, headers })
  const forwarded = { 'x-forwarded-for': '198.51.100.4' }
  const warned = () =>
    lines.map((line) => JSON.parse(line)).flatMap(({ level, msg }) => (level === 40 ? [msg] : []))
  lines.splice(0)
  try {
    await requestFrom('203.0.113.5')
    expect(warned()).toEqual([])
    for (let n = 0; n < 3; n += 1) await requestFrom('203.0.113.5', forwarded)
    expect(warned()).toEqual([expect.stringContaining('TRUSTED_PROXIES does not name')])
    for (let n = 0; n < 3; n += 1) await requestFrom('127.0.0.1', forwarded)
    expect(warned().slice(1)).toEqual([expect.stringMatching(/^PUBLIC_URL is .* come by a proxy/)])
    expect(lines.join('')).not.toMatch(/203\.0\.113|198\.51\.100/)
  } finally {
    await server.close()
  }
})
