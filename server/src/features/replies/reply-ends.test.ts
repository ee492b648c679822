import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  getCase,
  hideReported,
  listCases,
  restoreReported,
} from '#server/features/reports/decisions.service.ts'
import {
  A_DAY_MS,
  createRevelation,
  keyHeaders,
  sealDelivered,
  verifiedPerson,
} from '#testing/factories.ts'
import { toneAudio } from '#testing/media-files.ts'
import { readZip } from '#testing/read-zip.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { countStoredFiles, sendFile } from '#testing/uploads.ts'

let server: TestApp
let author: Person
let reader: Person
let letter: { id: string; key: string }

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await verifiedPerson(server)
  reader = await verifiedPerson(server)
  letter = await sealDelivered(server, author, { target_email: reader.email })
})

const byKey = () => ({ headers: keyHeaders(letter.key) })

async function reply(body: object, as?: Person): Promise<string> {
  const options = as ? { as, body } : { ...byKey(), body }
  const answer = await server.call('POST', `/api/revelations/${letter.id}/replies`, options)
  if (answer.status !== 201) throw new Error(`Cannot reply: ${answer.text}`)
  return answer.body.reply.id
}

async function voice(as?: Person): Promise<string> {
  const file = { bytes: await toneAudio('webm', 1), name: 'voix.webm', folder: 'audio' as const }
  const sent = await sendFile(server, as, file, as ? {} : byKey().headers)
  return sent.body.url
}

function answer(replyId: string, content: string) {
  const path = `/api/revelations/${letter.id}/replies/${replyId}/answer`
  return server.call('POST', path, { as: author, body: { content } })
}

async function repliesSeen(options: object) {
  const { body } = await server.call('GET', `/api/revelations/${letter.id}/replies`, options)
  return body.replies
}

describe('an export', () => {
  async function exportsOf(as: Person) {
    const json = await server.call('GET', '/api/auth/export', { as })
    const { rawPayload } = await server.app.inject({
      url: '/api/auth/export?format=zip',
      headers: { authorization: `Bearer ${as.token}` },
    })
    const files = readZip(rawPayload)
    const data = JSON.parse(files.get('donnees.json')?.toString() ?? '')
    return { json: JSON.parse(json.text), data, files, page: files.get('index.html')?.toString() }
  }

  it('of the author has what came back with its letter, and whom they blocked', async () => {
    const id = await reply({ content: 'Par le lien', file_url: await voice() })
    await answer(id, 'En retour')
    await server.call('POST', `/api/revelations/${letter.id}/replies/${id}/block`, { as: author })
    const { json, data, files, page } = await exportsOf(author)
    const [{ replies }] = json.revelations
    expect(replies).toMatchObject([
      {
        ...{ id, content: 'Par le lien', emoji: null, answer: { content: 'En retour' } },
        from: { pseudo: null, address: reader.email },
        voice: { name: 'voix.webm' },
      },
    ])
    expect(json).toMatchObject({ replies: [], reply_blocks: [{ address: reader.email }] })
    const [{ voice: archived }] = data.revelations[0].replies
    expect(archived.state).toBe('whole')
    expect(files.get(archived.path)).toEqual(await toneAudio('webm', 1))
    for (const words of ['Par le lien', 'En retour', archived.path.replace('fichiers/', '')]) {
      expect(page).toContain(words)
    }
  })

  it('of the writer has what they wrote by their account, and nothing of others', async () => {
    const id = await reply({ emoji: '❤️', file_url: await voice(reader) }, reader)
    await reply({ content: 'Par le lien' })
    const { json, data, page } = await exportsOf(reader)
    expect(json.replies).toMatchObject([
      { id, revelation_id: letter.id, content: null, emoji: '❤️', answer: null },
    ])
    expect(data.replies[0].voice.state).toBe('whole')
    expect(page).toContain('❤️')
    expect(JSON.stringify(json)).not.toContain('Par le lien')
    const other = await signedIn(server)
    expect((await exportsOf(other)).json.replies).toEqual([])
  })

  it('of the writer has what was written back as long as they may read it', async () => {
    const { id: letterId } = await createRevelation(server, author, { target_email: reader.email })
    server.clock.advance(A_DAY_MS)
    letter = { id: letterId, key: '' }
    const id = await reply({ content: 'À moi' }, reader)
    await answer(id, 'Rien que pour vous')
    const answerSeen = async () => (await exportsOf(reader)).json.replies[0].answer?.content
    expect(await answerSeen()).toBe('Rien que pour vous')
    const hide = (table: string, at: string) =>
      server.ctx.pool.query(`update ${table} set hidden_at = ${at}`)
    for (const table of ['replies', 'revelations']) {
      await hide(table, 'now()')
      expect(await answerSeen()).toBeUndefined()
      await hide(table, 'null')
    }
    const { rows } = await server.ctx.pool.query(
      'select id from deliveries where revelation_id = $1',
      [letterId],
    )
    const body = { address: `autre.${randomUUID()}@exemple.fr` }
    await server.call('PUT', `/api/deliveries/${rows[0].id}`, { as: author, body })
    const { json } = await exportsOf(reader)
    expect(json.replies).toMatchObject([{ id, content: 'À moi', answer: null }])
  })
})

describe('the deletion of an account', () => {
  function deleteAccount(as: Person) {
    return server.call('DELETE', '/api/auth/account', { as, body: { password: PASSWORD } })
  }

  async function rowsLeft(): Promise<number> {
    const { rows } = await server.ctx.pool.query(
      `select (select count(*) from replies) + (select count(*) from media)
         + (select count(*) from reply_uses) + (select count(*) from reply_blocks) as count`,
    )
    return Number(rows[0].count)
  }

  it('takes with it what that account wrote, and its voices', async () => {
    const before = { rows: await rowsLeft(), files: await countStoredFiles(server) }
    const id = await reply({ content: 'À bientôt', file_url: await voice(reader) }, reader)
    // Sent by the link, then written by the account that bears it too.
    const sent = await voice()
    await server.call('POST', `/api/revelations/${letter.id}/replies`, {
      ...byKey(),
      as: reader,
      body: { file_url: sent },
    })
    await answer(id, 'À bientôt')
    await deleteAccount(reader)
    expect(await repliesSeen({ as: author })).toEqual([])
    await deleteAccount(author)
    expect({ rows: await rowsLeft(), files: await countStoredFiles(server) }).toEqual(before)
  })

  it('of the author takes every reply to their letters', async () => {
    const before = { rows: await rowsLeft(), files: await countStoredFiles(server) }
    await reply({ content: 'Un', file_url: await voice() })
    const id = await reply({ file_url: await voice(reader) }, reader)
    await server.call('POST', `/api/revelations/${letter.id}/replies/${id}/block`, { as: author })
    await deleteAccount(author)
    expect({ rows: await rowsLeft(), files: await countStoredFiles(server) }).toEqual(before)
  })
})

describe('a report', () => {
  function report(as: Person | undefined, targetId: string, headers = {}) {
    const body = { target: 'reply', target_id: targetId, reason: 'harassment' }
    return server.call('POST', '/api/reports', { as, headers, body })
  }

  async function beginningOf(targetId: string): Promise<string> {
    const cases = await listCases(server.ctx, 'open')
    return cases.find((one) => one.report.targetId === targetId)?.report.id ?? ''
  }

  it('is for the author alone, and shows the operator the words of that reply', async () => {
    const id = await reply({ content: 'Des mots cruels', emoji: '😮', file_url: await voice() })
    for (const caller of [reader, await signedIn(server), undefined]) {
      expect(await report(caller, id)).toMatchObject({ status: 404 })
    }
    expect(await report(undefined, id, byKey().headers)).toMatchObject({ status: 404 })
    expect(await report(author, randomUUID())).toMatchObject({ status: 404 })
    expect(await report(author, id)).toMatchObject({ status: 201 })
    const { target } = await getCase(server.ctx, await beginningOf(id))
    expect(target).toMatchObject({ text: 'Des mots cruels\n😮\n(a voice)', authorId: null })
  })

  it('may hide the reply from both sides, and its writer is told', async () => {
    const id = await reply({ content: 'Des mots', file_url: await voice(reader) }, reader)
    await report(author, id)
    const [{ audio_url }] = await repliesSeen({ as: author })
    const decision = { operator: 'claire', reason: 'Une menace' }
    const beginning = await beginningOf(id)
    await hideReported(server.ctx, beginning, decision)
    for (const options of [{ as: author }, { as: reader }, byKey()]) {
      expect(await repliesSeen(options)).toEqual([])
    }
    expect(await server.call('GET', audio_url)).toMatchObject({ status: 404 })
    expect(await answer(id, 'Trop tard')).toMatchObject({ status: 404 })
    server.mailbox.all.length = 0
    await server.runJobs()
    const mails = server.mailbox.all.map(({ to, subject }) => [to, subject])
    expect(mails).toEqual([[reader.email, 'Votre réponse a été masquée']])
    await restoreReported(server.ctx, beginning, decision)
    expect(await repliesSeen({ as: author })).toMatchObject([{ id }])
  })
})
