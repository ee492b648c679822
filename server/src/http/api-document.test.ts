import { afterAll, beforeAll, expect, it } from 'vitest'
import * as account from '#contract/account.ts'
import * as apiTokens from '#contract/api-tokens.ts'
import * as auth from '#contract/auth.ts'
import * as calendar from '#contract/calendar.ts'
import * as circle from '#contract/circle.ts'
import * as comments from '#contract/comments.ts'
import * as deliveries from '#contract/deliveries.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as events from '#contract/events.ts'
import * as exports from '#contract/exports.ts'
import * as health from '#contract/health.ts'
import * as jobs from '#contract/jobs.ts'
import * as mailLinks from '#contract/mail-links.ts'
import * as media from '#contract/media.ts'
import * as presence from '#contract/presence.ts'
import * as profiles from '#contract/profiles.ts'
import * as proofs from '#contract/proofs/endpoints.ts'
import * as push from '#contract/push.ts'
import * as reactions from '#contract/reactions.ts'
import * as received from '#contract/received.ts'
import * as relationships from '#contract/relationships.ts'
import * as reminders from '#contract/reminders.ts'
import * as replies from '#contract/replies.ts'
import * as reports from '#contract/reports.ts'
import * as revelations from '#contract/revelations.ts'
import * as sealing from '#contract/sealing.ts'
import * as sounds from '#contract/sounds.ts'
import * as subscriptions from '#contract/subscriptions.ts'
import * as uploads from '#contract/uploads.ts'
import { startTestServer, type TestApp } from '#testing/test-server.ts'

const modules = [
  ...[account, apiTokens, auth, calendar, circle, comments, deliveries, events],
  ...[exports, health, jobs, mailLinks, media, presence, profiles, proofs, push, reactions],
  ...[
    received,
    relationships,
    reminders,
    replies,
    reports,
    revelations,
    sealing,
    sounds,
    subscriptions,
    uploads,
  ],
]
const endpoints = modules
  .flatMap((module): unknown[] => Object.values(module))
  .filter((value) => typeof value === 'object' && value !== null && 'method' in value) as Endpoint[]
const FILES = [
  '/api/secure-file/{folder}/{name}',
  '/api/thumbnail/{name}',
  '/api/audio/{name}',
  '/api/revelations/video-stream-edit/{id}',
]

let server: TestApp
// biome-ignore lint/suspicious/noExplicitAny: a document of any depth
let paths: any

beforeAll(async () => {
  server = await startTestServer()
  paths = (await server.call('GET', '/api/docs')).body.paths
})
afterAll(() => server.close())

it('describes every call of the contract, how it succeeds and how it is refused', () => {
  expect(endpoints.length).toBeGreaterThan(80)
  for (const { method, url, schema } of endpoints) {
    const operation = paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    expect([url, Object.keys(operation?.responses ?? {})]).toEqual([
      url,
      [...Object.keys(schema.response), '4XX'],
    ])
    expect(operation.responses['4XX'].content['application/json'].schema.properties).toHaveProperty(
      'code',
    )
    expect(operation.summary).toBeTruthy()
  }
})

it('names the scope that a token needs for each call of the contract, and how to have one', async () => {
  const { body } = await server.call('GET', '/api/docs')
  for (const { method, url, scope } of endpoints) {
    const { security } = paths[url.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()]
    const ways = scope && [{}, { session: [] }, { token: [scope] }]
    expect([method, url, security]).toEqual([method, url, ways])
  }
  expect(body.security).toEqual([{}, { session: [] }])
  expect(body.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(body.info.description).toContain('curl -H "Authorization: Bearer rev_')
})

it('describes files and the form that sends one', () => {
  for (const path of FILES) {
    const { summary, responses } = paths[path].get
    expect(Object.keys(responses)).toEqual(['200', '206', '4XX'])
    expect(summary).toBeTruthy()
  }
  const form = paths['/api/upload'].post.requestBody.content['multipart/form-data'].schema
  expect(form.required).toEqual(['file'])
})

it('describes the calls of tus, which speak in headers, and no way to read an upload', () => {
  const { get, ...ofOne } = paths['/api/uploads/{id}']
  expect(get).toBeUndefined()
  const said = { ...ofOne, post: paths['/api/uploads'].post }
  const seen = Object.entries<typeof said>(said).map(([method, { parameters, responses }]) => [
    method,
    parameters.filter((one: { in: string }) => one.in === 'header').map(nameOf),
    Object.keys(responses),
  ])
  expect(Object.fromEntries(seen.map(([method, ...rest]) => [method, rest]))).toEqual({
    post: [
      ['Idempotency-Key', 'Tus-Resumable', 'Upload-Length', 'Upload-Metadata'],
      ['201', '4XX'],
    ],
    head: [['Tus-Resumable'], ['200', '4XX']],
    patch: [
      ['Tus-Resumable', 'Upload-Offset', 'Upload-Checksum'],
      ['204', '4XX'],
    ],
    delete: [['Tus-Resumable'], ['204', '4XX']],
  })
})

function nameOf({ name }: { name: string }): string {
  return name
}
