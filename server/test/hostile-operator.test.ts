import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { bytesOfHex } from '#contract/proofs/bytes.ts'
import { readCheckpoint, signCheckpoint } from '#contract/proofs/checkpoint.ts'
import { evidenceInWords, judgeEvidence } from '#contract/proofs/evidence.ts'
import { commitmentOfFields, hashField } from '#contract/proofs/fields.ts'
import { rememberedOf } from '#contract/proofs/log-memory.ts'
import type { ProofV2 } from '#contract/proofs/proof.ts'
import { bytesFor, TestLog } from '#contract/test/log.ts'
import { CHECKPOINT_EVERY_MS, growLog } from '#server/features/proofs/growth.service.ts'
import { findSetBack, raiseMark } from '#server/features/proofs/high-water-mark.service.ts'
import { checkLog } from '#server/features/proofs/log-checks.service.ts'
import { createRevelation, type RevelationOverrides } from '#testing/factories.ts'
import {
  downloadVerifier,
  instantInWords,
  ProofBrowser,
  type Read,
} from '#testing/proof-browser.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { knownLogOfServer } from '#testing/verify-live.ts'

// The operator as adversary: owns the database, the keys and the program. Each act leaves a log that the next one begins with.

const SITE = 'localhost:0/journal'
const REWRITTEN =
  'Ce point de contrôle et celui déjà rencontré ne peuvent pas appartenir au même journal\u202F: son passé a été réécrit.'
const NOT_INCLUDED =
  'Une version n’est pas inscrite au journal telle qu’elle est montrée\u202F: sa place, sa date, sa lettre ou la version d’avant ne sont pas celles qui y sont.'
const DIFFERENT =
  'Le titre, le texte, la date ou le sel ne redonnent pas l’empreinte scellée\u202F: quelque chose a changé depuis.'
const WRONG = 'Quelque chose ne concorde pas.'

let server: TestApp
let author: Person
/** Who looks on, with a browser that met the log before the act. */
let witness: ProofBrowser
let letter: { id: string; created_at: string }

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  const plan = { userId: author.id, plan: 'unlimited' as const }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
  for (const table of ['seals', 'log_leaves', 'log_tiles', 'log_checkpoints', 'log_keys'])
    await sql(`alter table ${table} disable trigger refuse_change`)
  await seal()
  letter = await seal()
  await seal()
})
afterAll(() => server.close())

beforeEach(async () => {
  await raiseMark(server.ctx, await lastNote())
  witness = new ProofBrowser()
  await visit()
})

async function seal(changes: RevelationOverrides = {}) {
  const sealed = await createRevelation(server, author, { visibility: 'private', ...changes })
  await grow()
  return sealed
}

/** As by a program that knows nothing of the mark beside the keys. */
async function grow(): Promise<void> {
  server.clock.advance(CHECKPOINT_EVERY_MS)
  const config = { ...server.ctx.config, dataDir: `${server.ctx.config.dataDir}/elsewhere` }
  await growLog({ ...server.ctx, config })
}

async function sql(statement: string, ...values: unknown[]): Promise<void> {
  await server.ctx.pool.query(statement, values)
}

function visit(id = letter.id, browser = witness): Promise<Read> {
  return browser.visit(server, id, { as: author })
}

async function proofOf(id: string): Promise<ProofV2> {
  return (await server.call('GET', `/api/revelations/${id}/proof`, { as: author })).body
}

async function lastNote(): Promise<string> {
  return (await server.call('GET', '/api/proofs/checkpoint')).text
}

/** Size and date of a note, as sentences say them. */
function told(note: string) {
  const { size, dated } = readCheckpoint(note) ?? {}
  return { size, date: instantInWords(dated?.signedAt ?? '') }
}

function rightWith(sealedAt: string | Date): string {
  return `Tout concorde\u202F: cette lettre est celle qui a été scellée (version 1)\u202F; la date, le ${instantInWords(sealedAt)}, est celle que le site ${SITE} a écrite, et lui seul l’atteste.`
}

async function problemsOfLog(): Promise<string[]> {
  const found: string[] = []
  for await (const { name, problem } of checkLog(server.ctx)) if (problem) found.push(name)
  return found
}

/** Makes the tree and its last checkpoint anew from all seals, signed with the right key. */
async function signAnew(): Promise<void> {
  await sql('delete from log_checkpoints')
  await sql('delete from log_leaves')
  await sql('delete from log_pending')
  await sql('insert into log_pending select position from seals')
  await grow()
}

/** Another title in the letter, in its seal and in what is told of it, as if it had been sealed so. */
async function retitle(id: string, title: string): Promise<void> {
  const [leaf] = (await proofOf(id)).leaves
  const hashed = (leaf?.format === 2 ? leaf.fields : []).map((field) => {
    if ('hash' in field) throw new Error(`${field.name} is closed`)
    const salt = bytesOfHex(field.salt) ?? new Uint8Array()
    const value = field.name === 'title' ? ({ type: 'text', value: title } as const) : field
    return { name: field.name, hash: hashField(salt, field.name, value) }
  })
  const commitment = Buffer.from(commitmentOfFields(hashed))
  await sql(
    'update revelations set title = $2, commitment = $3 where id = $1',
    id,
    title,
    commitment,
  )
  await sql('update seals set commitment = $2 where revelation_id = $1', id, commitment)
  await sql(
    `update seal_fields set fields = (
       select jsonb_agg(case when told->>'name' = 'title' then told || jsonb_build_object('value', $2::text) else told end order by at)
       from jsonb_array_elements(fields) with ordinality as each (told, at)
     ) where revelation_id = $1`,
    ...[id, title],
  )
}

it('a letter that nobody touched is right, by the word of the site alone', async () => {
  expect(await visit()).toEqual({
    state: 'proved',
    headline: rightWith(letter.created_at),
    sentences: ['Visible de son auteur et de ses destinataires, et jamais publique jusqu’ici.'],
    failed: [],
    open: [],
  })
})

it('a letter that is widened in the database is seen by every reader, at once', async () => {
  await sql(
    `update revelations set visibility = 'public', public_since = created_at where id = $1`,
    letter.id,
  )
  expect(await visit(letter.id, new ProofBrowser())).toMatchObject({
    state: 'failed',
    headline: WRONG,
    failed: [
      'L’audience affichée n’est pas celle que le journal porte\u202F: elle a été changée sans inscription.',
    ],
    open: [],
  })
  await sql(
    `update revelations set visibility = 'private', public_since = null where id = $1`,
    letter.id,
  )
})

it('a letter that its author widens says since when, for ever', async () => {
  const { id, created_at } = await seal()
  server.clock.advance(CHECKPOINT_EVERY_MS)
  const body = { visibility: 'public' }
  const widened = await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
  const since = widened.body.revelation.public_since
  expect(since > created_at).toBe(true)
  await grow()
  expect(await visit(id)).toMatchObject({
    state: 'proved',
    headline: rightWith(created_at),
    sentences: [
      `Publique depuis le ${instantInWords(since)} seulement\u202F; avant, visible de son auteur et de ses destinataires.`,
    ],
  })
})

it('versions of two letters put together are seen by everybody, at once', async () => {
  const { id } = await seal()
  await server.call('PUT', `/api/revelations/${id}`, {
    as: author,
    body: { title: 'Je le savais' },
  })
  await grow()
  const [older] = (await proofOf(letter.id)).leaves
  const altered = (proof: unknown) => {
    const { leaves, ...rest } = proof as ProofV2
    return { ...rest, leaves: [older, ...leaves.slice(1)] }
  }
  const page = await new ProofBrowser().visit(server, id, { as: author, altered })
  const offline = (await downloadVerifier(server))(altered(await proofOf(id)))
  const shown =
    'La page n’affiche pas ce que dit la preuve\u202F: la date du scellement. L’un des deux a changé.'
  expect(page).toMatchObject({ headline: WRONG, failed: [NOT_INCLUDED, DIFFERENT, shown] })
  expect(offline).toMatchObject({ headline: WRONG, failed: [NOT_INCLUDED, DIFFERENT] })
})

it('a seal that is altered alone is seen by its readers, and named by whoever verifies the installation', async () => {
  const move = (by: string) =>
    sql(
      'update seals set sealed_at = sealed_at + $2::interval where revelation_id = $1',
      letter.id,
      by,
    )
  await move('-1 day')
  const { headline, failed } = await visit(letter.id, new ProofBrowser())
  expect(headline).toBe(WRONG)
  expect(failed.slice(0, 2)).toEqual([NOT_INCLUDED, DIFFERENT])
  expect(await problemsOfLog()).toEqual(['leaf 1'])
  await move('1 day')
  expect(await problemsOfLog()).toEqual([])
})

it('a letter rewritten in a log that is signed anew is seen by whoever holds a checkpoint, and by nobody else', async () => {
  const mailed = await lastNote()
  const carried = await downloadVerifier(server)
  await retitle(letter.id, 'Le cerisier fleurira en avril')
  await signAnew()
  expect(await findSetBack(server.ctx)).toContain('is not the one that this installation signed')

  // The mark and every checkpoint that was handed out contradict it; a stranger has the word of the site.
  expect(await visit()).toMatchObject({ state: 'failed', headline: WRONG, failed: [REWRITTEN] })
  expect(await visit()).toMatchObject({
    failed: [expect.stringMatching(/^Ce journal s’est contredit le .*gardés ici\.$/)],
  })
  expect(carried(await proofOf(letter.id))).toMatchObject({ headline: WRONG, failed: [REWRITTEN] })
  const stranger = new ProofBrowser()
  expect((await visit(letter.id, stranger)).headline).toBe(rightWith(letter.created_at))

  // Who only kept the mail pastes it on the page, and takes the evidence to others.
  const { found } = await stranger.record(server, mailed, 'mailed')
  const judged = judgeEvidence(found[0], await knownLogOfServer(server))
  expect(judged.state).toBe('proved')
  expect(evidenceInWords(judged, instantInWords)).toEqual([
    `Deux points de contrôle signés de la même clé, ${told(mailed).size} inscriptions, deux racines\u202F: le journal a été réécrit.`,
  ])
})

it('a log that is emptied, then begun anew, is seen by whoever holds a larger checkpoint', async () => {
  const before = told(await lastNote())
  const other = new ProofBrowser()
  await visit(letter.id, other)
  await sql('delete from log_checkpoints')
  await sql('delete from log_leaves')
  await sql('delete from log_keys')
  await sql('delete from log_pending')
  expect(await visit(letter.id, other)).toMatchObject({
    headline: WRONG,
    failed: ['Cette preuve n’a pas de point de contrôle, alors que ce journal en a déjà signé un.'],
  })
  expect(await visit(letter.id, new ProofBrowser())).toMatchObject({
    state: 'unproved',
    headline: 'Rien n’est prouvé\u202F: cette preuve n’a ni journal ni clé.',
  })
  expect(await findSetBack(server.ctx)).toContain('The log in this database is empty')

  await sql(
    'insert into log_pending select position from seals where revelation_id = $1',
    letter.id,
  )
  await grow()
  const now = told(await lastNote())
  expect(await visit()).toMatchObject({
    headline: WRONG,
    failed: [
      `Le journal signé le ${before.date} avait ${before.size} inscriptions, et plus tard, le ${now.date}, il n’en a que 1\u202F: il a été vidé ou remplacé.`,
    ],
  })
  await signAnew()
})

it('a leaf of today that is dated 1999 is seen by whoever holds any dated checkpoint, a downloaded verifier too', async () => {
  const carried = await downloadVerifier(server)
  const held = told(await lastNote())
  const { id } = await createRevelation(server, author, { visibility: 'private' })
  const sealedAt = '1999-01-01T00:00:00.000Z'
  await sql('update seals set sealed_at = $2 where revelation_id = $1', id, sealedAt)
  await sql('update revelations set created_at = $2, updated_at = $2 where id = $1', id, sealedAt)
  await grow()
  const tooEarly = `Cette version dit avoir été scellée le ${instantInWords(sealedAt)}, mais le point de contrôle du ${held.date}, signé plus tard, ne la contenait pas\u202F: sa date est fausse.`
  expect(await visit(id)).toMatchObject({ headline: WRONG, failed: [tooEarly] })
  expect(carried(await proofOf(id))).toMatchObject({ headline: WRONG, failed: [tooEarly] })
  // A stranger with nothing held learns who says so.
  expect((await visit(id, new ProofBrowser())).headline).toBe(rightWith(sealedAt))
})

it('a new key that the old one did not sign is seen by a browser that pinned it, and proves nothing to a verifier', async () => {
  const carried = await downloadVerifier(server)
  const { seed, key } = new TestLog(SITE, bytesFor('a key of tomorrow'))
  const last = readCheckpoint(await lastNote())
  if (!last) throw new Error('The log has signed nothing')
  await sql('update log_keys set log_key = $1', key)
  await sql(
    'update log_checkpoints set log_key = $1, note = $2 where size = $3',
    key,
    signCheckpoint(seed, last),
    last.size,
  )
  expect(await visit()).toMatchObject({
    state: 'failed',
    headline: WRONG,
    failed: ['Le journal a changé de clé sans que l’ancienne ait signé la nouvelle.'],
  })
  expect(rememberedOf(witness.memory, SITE).contradictions).toMatchObject([{ kind: 'key' }])
  expect(carried(await proofOf(letter.id))).toMatchObject({
    state: 'unproved',
    headline: 'Clé inconnue\u202F: rien n’est prouvé.',
    open: [
      'Clé inconnue, sous le même nom de journal\u202F: si le site a changé de clé, son vérificateur d’aujourd’hui le sait.',
    ],
  })
})

it('a log that is begun anew under another name is not taken for the one before it', async () => {
  const renamed = new TestLog('localhost:0/joumal', bytesFor('a key of tomorrow'))
  const last = readCheckpoint(await lastNote())
  if (!last) throw new Error('The log has signed nothing')
  await sql('update log_keys set log_key = $1', renamed.key)
  await sql(
    'update log_checkpoints set log_key = $1, note = $2 where size = $3',
    ...[renamed.key, signCheckpoint(renamed.seed, { ...last, origin: renamed.origin }), last.size],
  )
  expect(await visit()).toMatchObject({
    state: 'partly',
    headline:
      'Ce qui peut être vérifié maintenant concorde\u202F; il manque ce qui relie ce journal à celui que ce site montrait avant.',
    sentences: ['Visible de son auteur et de ses destinataires, et jamais publique jusqu’ici.'],
    open: [`Ce site montrait avant un autre journal, ${SITE}\u202F: rien ne relie celui-ci à lui.`],
  })
  expect((await visit(letter.id, new ProofBrowser())).state).toBe('proved')
})
