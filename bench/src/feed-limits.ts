import { createHash, randomUUID } from 'node:crypto'
import Fastify, { type FastifyRequest } from 'fastify'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Program } from './harness/program.ts'

/**
 * The limits that the program is compared with, in a process of their own: a bare Fastify that answers bytes from
 * memory, one that looks up the session and reads a page, and one that inserts the same row as a comment.
 */
export interface LimitsOrder {
  /** Where PostgreSQL is. */
  connection: Program['connection']
  /** Answers from memory, by path. */
  memory: Record<string, string>
  /** Stands for the letters in the page that is read. */
  filler: string
}

interface PageRow {
  created_at: Date
  content?: string
}

const SESSION = {
  name: 'session',
  text: `select sessions.id, user_id from sessions join users on users.id = user_id
    where expires_at > now() and token_hash = $1`,
}
const PAGE = {
  name: 'page',
  text: `select revelations.id, author_id, pseudo, avatar_url, title, category, visibility, address, reveal_at,
      time_zone, media_id, file_type, teaser_start, teaser_end, version, encode(commitment, 'hex') as commitment,
      reactions_count, comments_count, views_count, revelations.created_at, updated_at
    from revelations join users on users.id = author_id
      join deliveries on revelation_id = revelations.id and position = 0
    where visibility = 'public' order by revelations.created_at desc, revelations.id desc limit 20`,
}
const INSERT = {
  name: 'insert',
  text: `insert into comments (id, revelation_id, author_id, content, created_at)
    values ($1, $2, $3, $4, $5) returning *`,
}

function tokenHashOf(request: FastifyRequest): Buffer {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  return createHash('sha256').update(token).digest()
}

async function serve({ connection, memory, filler }: LimitsOrder): Promise<string> {
  const app = Fastify({ forceCloseConnections: true })
  const { pool } = openDatabase(connection, console)
  const answers = new Map(
    Object.entries(memory).map(([path, text]) => [path, Buffer.from(text)] as const),
  )
  app.get('/memory/*', (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    return reply.type('application/json; charset=utf-8').send(answers.get(name))
  })
  app.get('/live', async (request) => {
    const { rows: sessions } = await pool.query({ ...SESSION, values: [tokenHashOf(request)] })
    if (sessions.length === 0) throw new Error('No session')
    const { rows } = await pool.query<PageRow>(PAGE)
    // As many letters are open as in the page it stands for.
    for (const [index, row] of rows.entries()) if (index % 2 === 0) row.content = filler
    return { revelations: rows, next_cursor: rows.at(-1)?.created_at }
  })
  app.post('/insert', async (request, reply) => {
    const { revelation_id, author_id, content } = request.body as Record<string, string>
    const values = [randomUUID(), revelation_id, author_id, content, new Date()]
    const { rows } = await pool.query({ ...INSERT, values })
    return reply.code(201).send({ comment: rows[0] })
  })
  process.on('disconnect', () => process.exit(0))
  return app.listen({ host: '127.0.0.1', port: 0 })
}

process.once('message', async (order: LimitsOrder) => process.send?.(await serve(order)))
