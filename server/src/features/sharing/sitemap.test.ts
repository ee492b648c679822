import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PUBLIC_PAGES } from '#contract/public-pages.ts'
import { A_DAY_MS, createRevelation } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { idsOf, sharesOf } from './sitemap.service.ts'

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
})
afterAll(() => server.close())

describe('what search engines ask for first', () => {
  it('leads from robots.txt to the pages and to the public revelations, and to no other', async () => {
    const { publicUrl } = server.ctx.config.http
    const robots = await server.call('GET', '/robots.txt')
    expect(robots.text).toContain(`\nSitemap: ${publicUrl}/sitemap.xml\n`)
    expect(robots.text).toContain('\nDisallow: /profile\n')

    const revealDate = new Date(server.clock.now.getTime() + A_DAY_MS).toISOString()
    const sealed = (visibility: 'public' | 'friends' | 'private') =>
      createRevelation(server, author, { visibility, reveal_date: revealDate })
    const shown = await sealed('public')
    const others = [await sealed('friends'), await sealed('private')]
    const withdrawn = await sealed('public')
    await server.call('DELETE', `/api/revelations/${withdrawn.id}`, { as: author })

    const index = await server.call('GET', '/sitemap.xml')
    expect(index.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(addressesIn(index.text)).toEqual([
      `${publicUrl}/sitemap/pages.xml`,
      `${publicUrl}/sitemap/revelations.xml`,
    ])
    const pages = await server.call('GET', '/sitemap/pages.xml')
    expect(addressesIn(pages.text)).toEqual(PUBLIC_PAGES.map((page) => publicUrl + page))
    const list = await server.call('GET', '/sitemap/revelations.xml')
    expect(list.headers['cache-control']).toBe('no-cache')
    expect(addressesIn(list.text)).toEqual([`${publicUrl}/revelation/${shown.id}`])
    for (const { id } of others) expect(list.text).not.toContain(id)

    expect(changesIn(list.text)).toEqual([shown.updated_at])
    server.clock.advance(A_DAY_MS)
    const after = await server.call('GET', '/sitemap/revelations.xml')
    expect(changesIn(after.text)).toEqual([revealDate])
    const half = `/sitemap/revelations-${shown.id[0]}.xml`
    expect((await server.call('GET', half)).text).toBe(after.text)
    expect((await server.call('GET', '/sitemap/ailleurs.xml')).status).toBe(404)
  })

  it('are as many files as the revelations need, and hold each id once', () => {
    expect(sharesOf(0)).toEqual([''])
    expect(sharesOf(10_000)).toEqual([''])
    expect(sharesOf(10_001)).toHaveLength(16)
    expect(sharesOf(1_000_000)).toHaveLength(256)
    expect(idsOf('')).toEqual({
      from: '00000000-0000-0000-0000-000000000000',
      to: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    })
    expect(idsOf('3f').to).toBe('3fffffff-ffff-ffff-ffff-ffffffffffff')
  })
})

function addressesIn(xml: string): string[] {
  return Array.from(xml.matchAll(/<loc>([^<]*)<\/loc>/g), ([, address = '']) => address)
}

function changesIn(xml: string): string[] {
  return Array.from(xml.matchAll(/<lastmod>([^<]*)<\/lastmod>/g), ([, instant = '']) => instant)
}
