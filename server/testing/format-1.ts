import { randomBytes } from 'node:crypto'
import { commitmentOf } from '#server/platform/sealing/commitment.ts'
import { sealText } from '#server/platform/sealing/sealed-text.ts'
import type { Person, TestApp } from './test-server.ts'

/**
 * Writes letters of this author as version 0.1.0 sealed them, with the seals of format 1 that a migration finds. They are all that
 * was sealed so far, none of them edited and without a file.
 */
export async function convertToFormat1(server: TestApp, author: Person): Promise<void> {
  const { pool } = server.ctx
  await pool.query('alter table seals disable trigger user')
  await pool.query('update seals set format = 1, identity = null, former = null')
  await pool.query('delete from seal_fields')
  await pool.query('insert into log_format (v2_from) select count(*) from seals')
  const { rows } = await pool.query<{ id: string; title: string; wrapped_key: Buffer }>(
    'select id, title, wrapped_key from revelations where author_id = $1',
    [author.id],
  )
  for (const { id, title, wrapped_key } of rows) {
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    const { content, reveal_date } = body.revelation
    const salt = randomBytes(32)
    const facts = { id, authorId: author.id, title, content, revealAt: new Date(reveal_date) }
    const commitment = commitmentOf(salt, { ...facts, fileSha256: undefined })
    const key = server.ctx.keyring.openDataKey(`revelation:${id}`, wrapped_key)
    const opening = JSON.stringify({ salt: salt.toString('base64url'), fileSha256: null })
    await pool.query(
      'update revelations set commitment = $2, sealed_opening = $3, identity_blinding = null where id = $1',
      [id, commitment, sealText(key, 'opening', opening)],
    )
    await pool.query('update seals set commitment = $2 where revelation_id = $1', [id, commitment])
  }
  await pool.query('alter table seals enable trigger user')
}
