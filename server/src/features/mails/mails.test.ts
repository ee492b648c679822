import { afterAll, beforeAll, expect, it } from 'vitest'
import { findCheckpoints, openCheckpoint, parseLogKey } from '#contract/proofs/checkpoint.ts'
import { A_DAY_MS, createRevelation } from '#testing/factories.ts'
import { signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { type ComposedMail, deleteOldMails, mergeMails } from './mails.service.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function templates(): Promise<string[]> {
  const rows = await server.ctx.db.selectFrom('mails').select('template').execute()
  return rows.map(({ template }) => template).sort()
}

it('deletes mails ninety days after they are done, but those that wait or carry a delivery', async () => {
  const author = await signedIn(server)
  await createRevelation(server, author)
  await server.runJobs()
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
  const all = await templates()
  expect(all).toEqual(expect.arrayContaining(['delivered', 'delivery', 'sealed']))
  await server.ctx.db
    .updateTable('mails')
    .set({ state: 'failed', sentAt: null })
    .where('template', '=', 'sealed')
    .execute()
  await server.ctx.db
    .updateTable('mails')
    .set({ state: 'queued', sentAt: null })
    .where('template', '=', 'delivered')
    .execute()
  server.clock.advance(89 * A_DAY_MS)
  await deleteOldMails(server.ctx)
  expect(await templates()).toEqual(all)
  server.clock.advance(2 * A_DAY_MS)
  await deleteOldMails(server.ctx)
  expect(await templates()).toEqual(['delivered', 'delivery'])
})

it('attaches the last checkpoint of the log to the mails of a letter, and writes no hash into them', async () => {
  const author = await signedIn(server)
  await createRevelation(server, author)
  server.clock.advance(60_000)
  await server.runJobs()
  const [mail] = server.mailbox.all.splice(0).slice(-1)
  const { text: note } = await server.call('GET', '/api/proofs/checkpoint')
  const { text: key } = await server.call('GET', '/api/proofs/key')
  const logKey = parseLogKey(key.trim())
  expect(logKey && openCheckpoint(note, logKey)).toBeDefined()
  const proof = mail?.attachments?.find(({ filename }) => filename === 'preuve.txt')
  expect(findCheckpoints(String(proof?.content))).toEqual([note])
  expect(proof?.content).toContain(`Clé du journal\u202F: ${key}`)
  expect(proof?.content).toContain('/preuve')
  for (const line of [key.trim(), ...note.split('\n')].filter(({ length }) => length > 20)) {
    expect(mail?.text).not.toContain(line)
    expect(mail?.html).not.toContain(line)
  }
})

it('leaves as one from a person only where all of it comes from them, with every note', () => {
  const from = (name: string, replyTo?: string): ComposedMail => ({
    ...{ to: 'dest@exemple.fr', stops: 'everything', person: { name, replyTo } },
    ...{ subject: 'Une lettre', preview: '', sky: 'night', initial: 'A', heading: '', footer: [] },
    blocks: [{ kind: 'note', from: name, words: `Un mot de ${name}` }],
  })
  const alone = mergeMails([from('alice', 'alice@exemple.fr'), from('alice', 'alice@exemple.fr')])
  expect(alone.person).toEqual({ name: 'alice', replyTo: 'alice@exemple.fr' })
  const mixed = mergeMails([from('alice', 'alice@exemple.fr'), from('bruno')])
  expect(mixed.person).toBeUndefined()
  const words = mixed.blocks.flatMap((block) => (block.kind === 'note' ? block.words : []))
  expect(words).toEqual(['Un mot de alice', 'Un mot de bruno'])
  expect(mergeMails([from('alice'), from('alice', 'alice@exemple.fr')]).person).toBeUndefined()
})
