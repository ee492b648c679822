import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRevelation } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const BUILT = path.resolve(import.meta.dirname, '../../../../web/dist-server/verifier.html')

let server: TestApp
let author: Person

// `script/test` builds first.
describe.runIf(existsSync(BUILT))('the page that verifies without this site', () => {
  beforeAll(async () => {
    server = await startTestServer()
    author = await signedIn(server)
  })
  afterAll(() => server.close())

  const carried = (page: string) =>
    JSON.parse(
      /<script type="application\/json" id="known-log">(.*?)<\/script>/.exec(page)?.[1] ?? '',
    )
  const text = async (url: string) => (await server.call('GET', url)).text

  it('carries no key while the log is empty, then the key and the last checkpoint', async () => {
    expect(carried(await text('/verificateur.html'))).toBe(null)
    await createRevelation(server, author)
    await server.runJobs()
    expect(carried(await text('/verificateur.html'))).toEqual({
      origin: expect.any(String),
      key: (await text('/api/proofs/key')).trim(),
      keys_note: null,
      checkpoint: await text('/api/proofs/checkpoint'),
    })
  })

  it('runs its one script where it is opened, and may call nobody', async () => {
    const page = await server.call('GET', '/verificateur.html')
    const [, script = ''] = /<script type="module">(.*?)<\/script>/s.exec(page.text) ?? []
    const hash = createHash('sha256').update(script).digest('base64')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain(`script-src 'sha256-${hash}';`)
    expect(policy).toContain("default-src 'none'")
    expect(page.headers['cache-control']).toBe('no-cache')
  })

  it('is published by a hash that anybody makes again once the log is taken out', async () => {
    const page = await text('/verificateur.html')
    const sha256 = (of: string) => createHash('sha256').update(of).digest('hex')
    const unfilled = page.replace(/(id="known-log">)[^<]*/, '$1null')
    expect(unfilled).not.toBe(page)
    expect(await text('/verificateur.sha256')).toBe(
      `${sha256(unfilled)}  verificateur.html\n${sha256(await text('/format-de-preuve.md'))}  format-de-preuve.md\n`,
    )
  })

  it('names the hash of the document of the format, which is beside it', async () => {
    const format = await server.call('GET', '/format-de-preuve.md')
    expect(format.text).toMatch(/^# The proof/)
    const sha256 = createHash('sha256').update(format.text).digest('hex')
    expect(await text('/verificateur.html')).toContain(sha256)
  })
})
