import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import Fastify, { type FastifyRequest } from 'fastify'
import type { CreatePageRenderer } from '#contract/page-renderer.ts'
import { compressPage } from '#server/http/shared-pages.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Program } from './harness/program.ts'

/**
 * The limits that the program is compared with, in a process of their own: a bare Fastify that answers bytes from memory, or
 * pages that it renders with the answers of the API in memory, one that looks up the session and reads a page or searches
 * titles, one that reads a row with its author, and those that insert the same row as a comment, or insert and delete that of a
 * reaction.
 */
export interface LimitsOrder {
  /** Where PostgreSQL is. */
  connection: Program['connection']
  /** Answers from memory, by name. */
  memory: Record<string, StoredAnswer>
  /** Whose API answers once what the pages show. */
  origin: string
  /** The paths of the pages that are rendered, by name. */
  pages: Record<string, string>
  /** Stands for the letters in the page that is read. */
  filler: string
}

/** Bytes as they were sent, and how. */
export interface StoredAnswer {
  base64: string
  headers: Record<string, string>
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
const COLUMNS = `revelations.id, author_id, pseudo, avatar_url, title, category, visibility, address, reveal_at,
  time_zone, media_id, file_type, teaser_start, teaser_end, version, encode(commitment, 'hex') as commitment,
  reactions_count, comments_count, views_count, revelations.created_at, updated_at`
const TABLES = `revelations join users on users.id = author_id
  join deliveries on revelation_id = revelations.id and position = 0`
const PAGE = {
  name: 'page',
  text: `select ${COLUMNS} from ${TABLES}
    where visibility = 'public' order by revelations.created_at desc, revelations.id desc limit 20`,
}
const ROW = {
  name: 'row',
  text: `select ${COLUMNS} from ${TABLES} where revelations.id = $1`,
}
/** Full text of PostgreSQL over the titles that everybody may read; what is sealed has none. */
const TITLES = `
  create unlogged table if not exists bench_titles as
    select id, to_tsvector('french', title) as words from revelations where visibility = 'public';
  create index if not exists bench_titles_words on bench_titles using gin (words);
  analyze bench_titles`
const SEARCH = {
  name: 'search',
  text: `with found as (
      select id from bench_titles where words @@ websearch_to_tsquery('french', $1)
    ), newest as (
      select ${COLUMNS} from ${TABLES} join found on found.id = revelations.id
      order by revelations.created_at desc, revelations.id desc limit 20
    )
    select newest.*, (select count(*) from found) as found from newest`,
}
const INSERT = {
  name: 'insert',
  text: `insert into comments (id, revelation_id, author_id, content, created_at)
    values ($1, $2, $3, $4, $5) returning *`,
}
const REACT = {
  name: 'react',
  text: `insert into reactions (revelation_id, author_id, emoji, created_at)
    values ($1, $2, $3, $4) on conflict do nothing returning *`,
}
const TAKE_BACK = {
  name: 'take back',
  text: 'delete from reactions where revelation_id = $1 and author_id = $2 returning *',
}

/** It has no others, as the program has. */
const MAX_CONNECTIONS = 16
/** A frequent word in a million titles takes it seconds: it is measured, not refused. */
const PATIENCE = { statement_timeout: 0, connectionTimeoutMillis: 0 }

function tokenHashOf(request: FastifyRequest): Buffer {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  return createHash('sha256').update(token).digest()
}

async function serve(order: LimitsOrder): Promise<string> {
  const { connection, memory, filler } = order
  const app = Fastify({ forceCloseConnections: true })
  const { pool } = openDatabase({ ...connection, ...PATIENCE, max: MAX_CONNECTIONS }, console)
  await pool.query(TITLES)
  const answers = new Map(
    Object.entries(memory).map(([name, { base64, headers }]) => {
      return [name, { headers, bytes: Buffer.from(base64, 'base64') }] as const
    }),
  )
  app.get('/memory/:name', (request, reply) => {
    const answer = answers.get((request.params as { name: string }).name)
    return reply.headers(answer?.headers ?? {}).send(answer?.bytes)
  })
  const render = await createRenderer(order)
  app.get('/rendered/:name', async (request, reply) => {
    const body = await render((request.params as { name: string }).name)
    return reply.header('content-encoding', 'br').type('text/html; charset=utf-8').send(body)
  })
  async function checkSession(request: FastifyRequest): Promise<void> {
    const { rows } = await pool.query({ ...SESSION, values: [tokenHashOf(request)] })
    if (rows.length === 0) throw new Error('No session')
  }
  app.get('/row/:id', async (request) => {
    const { id } = request.params as { id: string }
    const { rows } = await pool.query<PageRow>({ ...ROW, values: [id] })
    return { revelation: { ...rows[0], content: filler } }
  })
  app.get('/search', async (request) => {
    await checkSession(request)
    const { q } = request.query as { q: string }
    const { rows } = await pool.query<PageRow>({ ...SEARCH, values: [q] })
    return { revelations: rows, next_cursor: rows.at(-1)?.created_at }
  })
  app.get('/live', async (request) => {
    await checkSession(request)
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
  app.post('/reactions', async (request) => {
    const { revelation_id, author_id, emoji } = request.body as Record<string, string>
    const values = [revelation_id, author_id, emoji, new Date()]
    return { reactions: (await pool.query({ ...REACT, values })).rows }
  })
  app.delete('/reactions/:authorId/:id', async (request) => {
    const { authorId, id } = request.params as Record<string, string>
    return { reactions: (await pool.query({ ...TAKE_BACK, values: [id, authorId] })).rows }
  })
  process.on('disconnect', () => process.exit(0))
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** Renders a page with what the API answered the first time, compressed as the program does it. */
async function createRenderer({ origin, pages }: LimitsOrder) {
  const built = (file: string) => new URL(`../../web/${file}`, import.meta.url)
  const { createPageRenderer } = (await import(built('dist-server/entry.server.js').href)) as {
    createPageRenderer: CreatePageRenderer
  }
  const template = await readFile(built('dist/index.html'), 'utf8')
  const manifest = await readFile(built('dist/.vite/manifest.json'), 'utf8')
  const renderPage = createPageRenderer(template, JSON.parse(manifest))
  const answers = new Map<string, { body: string; headers: Record<string, string> }>()
  async function fetchApi(url: string): Promise<Response> {
    const known = answers.get(url)
    if (known) return new Response(known.body, known)
    const answer = await fetch(`${origin}${url}`)
    const body = await answer.text()
    const type = answer.headers.get('content-type') ?? ''
    answers.set(url, { body, headers: { 'content-type': type } })
    return new Response(body, answers.get(url))
  }
  return async (name: string): Promise<Buffer> => {
    const page = await renderPage({ path: pages[name] ?? '/', origin, nowMs: Date.now, fetchApi })
    return compressPage(page?.html ?? '')
  }
}

process.once('message', async (order: LimitsOrder) => process.send?.(await serve(order)))
