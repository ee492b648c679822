import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('gives the films and pictures of the demo to anybody, whole or in parts', async () => {
  const film = await server.call('GET', '/api/demo/local/aurore.mp4')
  expect([film.status, film.headers['content-type']]).toEqual([200, 'video/mp4'])
  expect(film.headers['cache-control']).toBe('public, max-age=86400')
  const part = await server.call('GET', '/api/demo/local/aurore.mp4', {
    headers: { range: 'bytes=0-99' },
  })
  expect([part.status, part.headers['content-length']]).toEqual([206, '100'])
  const picture = await server.call('GET', '/api/demo/thumbnails/mars.webp')
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/webp'])
})

it('gives nothing else', async () => {
  for (const name of [
    '',
    'local',
    'local/',
    'local/lune.mp4',
    '..%2fpackage.json',
    '%2e%2e/package.json',
  ]) {
    const { status, body } = await server.call('GET', `/api/demo/${name}`)
    expect([name, status, body.code]).toEqual([name, 404, 'not_found'])
  }
})
