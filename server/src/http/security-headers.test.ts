import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { registerSecurityHeaders } from './security-headers.ts'

async function headersUnder(publicUrl: string) {
  const app = Fastify()
  registerSecurityHeaders(app, { scripts: ["'sha256-x'"], publicUrl })
  app.get('/', async () => '')
  return (await app.inject('/')).headers
}

it('keeps browsers to https where the site is reached by it, and only there', async () => {
  const secure = await headersUnder('https://exemple.fr')
  expect(secure['strict-transport-security']).toBe('max-age=31536000')
  expect(await headersUnder('http://localhost:3000')).not.toHaveProperty(
    'strict-transport-security',
  )
})

it('lets no text become markup or code, and no script run that is not ours', async () => {
  const policy = String((await headersUnder('https://exemple.fr'))['content-security-policy'])
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self' 'sha256-x'",
      "require-trusted-types-for 'script'",
      'trusted-types service-worker document-reader',
    ]),
  )
})
