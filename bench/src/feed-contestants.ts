import { randomUUID } from 'node:crypto'
import type { Load, LoadOrder } from './harness/load-client.ts'
import { readCpuSeconds, readFamilyCpuSeconds } from './harness/machine.ts'
import type { Program } from './harness/program.ts'

export interface SizedProgram {
  revelations: number
  program: Program
  token: string
  userId: string
  /** Public ones. */
  ids: string[]
}

export interface Limits {
  port: number
  pid: number
}

export interface LoadContestant {
  name: string
  run(): Promise<MeasuredLoad>
}

/** With the CPU time that each answer took of the Node process that gave it, and of the PostgreSQL that it asked. */
export interface MeasuredLoad extends Load {
  cpuMicroseconds: number
  postgresMicroseconds: number
}

export interface FeedBench {
  /** From the smallest to the largest. */
  sized: SizedProgram[]
  /** The one whose pages the limits answer. */
  main: SizedProgram
  limits: Limits
  seconds: number
  /** Comments that somebody writes meanwhile, each second. */
  writes: number
  load(order: LoadOrder): Promise<Load>
}

type Request = LoadOrder['requests'][number]

export interface Subject {
  title: string
  reference: string
  /** What part of the CPU of an answer the reference takes, at least. */
  goal: number
  /** The requests to each program, and to its limit. */
  requests(of: SizedProgram): Request[]
  /** The requests to the limit, which reads what the main size has. */
  limit(of: SizedProgram): Request[]
  status?: number
  /** Nobody writes meanwhile. */
  isQuiet?: boolean
  /** So slow that the short form leaves it out. */
  isSlow?: boolean
}

const WORDS = ['grenier', 'potager', 'finale', 'recette', 'boutique', 'métier', 'tiroir', 'sente']

function get(path: string, token?: string): Request {
  return { method: 'GET', path, headers: token ? { authorization: `Bearer ${token}` } : {} }
}

/** Numbers of titles, which are rare, and words, which are frequent; so many that no answer is cached. */
function phrasesOf({ revelations }: SizedProgram): string[] {
  return Array.from({ length: 400 }, (_, n) =>
    n % 4 === 0
      ? encodeURIComponent(WORDS[(n / 4) % WORDS.length] ?? '')
      : `n%C2%B0%C2%A0${1 + Math.floor((revelations / 400) * n)}`,
  )
}

function jsonOf(request: Request, body: object): Request {
  const headers = { ...request.headers, 'content-type': 'application/json' }
  return { ...request, headers, body: JSON.stringify(body) }
}

/** As browsers ask for it. */
function getPage(path: string): Request {
  return { method: 'GET', path, headers: { accept: 'text/html', 'accept-encoding': 'br' } }
}

const IN_MEMORY = 'Fastify, the same bytes from memory'

const PAGES = ['home', 'page', 'predictions'] as const

/** The path of each page that is measured. */
function pathOf(page: (typeof PAGES)[number], { ids }: Pick<SizedProgram, 'ids'>): string {
  return { home: '/', page: `/revelation/${ids[0]}`, predictions: '/predictions' }[page]
}

function titleOf(page: (typeof PAGES)[number]): string {
  return page === 'page' ? 'a revelation' : page
}

/** What the limit answers from memory, and the pages that it renders, by name: of the main size. */
export function inMemory(of: SizedProgram) {
  const pages = Object.fromEntries(PAGES.map((page) => [page, pathOf(page, of)]))
  const requests = Object.entries(pages).map(([name, path]) => [name, getPage(path)] as const)
  return { pages, requests: { feed: get('/api/revelations'), ...Object.fromEntries(requests) } }
}

const searchOf = (path: string) => (of: SizedProgram) =>
  phrasesOf(of).map((phrase) => get(`${path}?q=${phrase}`, of.token))

export const SUBJECTS: Subject[] = [
  {
    title: 'The feed of a visitor',
    reference: IN_MEMORY,
    goal: 0.6,
    requests: () => [get('/api/revelations')],
    limit: () => [get('/memory/feed')],
  },
  {
    title: 'The feed of somebody signed in',
    reference: 'Fastify + session + PostgreSQL',
    goal: 0.75,
    requests: ({ token }) => [get('/api/revelations', token)],
    limit: ({ token }) => [get('/live', token)],
  },
  {
    title: 'A revelation for a visitor, one of 400',
    reference: 'Fastify + one row with its author',
    goal: 0.6,
    requests: ({ ids }) => ids.map((id) => get(`/api/revelations/${id}`)),
    limit: ({ ids }) => ids.map((id) => get(`/row/${id}`)),
  },
  {
    title: 'A revelation for somebody signed in, one of 400',
    reference: 'Fastify + one row with its author',
    goal: 0.6,
    requests: ({ ids, token }) => ids.map((id) => get(`/api/revelations/${id}`, token)),
    limit: ({ ids }) => ids.map((id) => get(`/row/${id}`)),
  },
  {
    title: 'A search of somebody signed in, one of 400',
    reference: 'Fastify + session + full text over titles',
    goal: 0.5,
    requests: searchOf('/api/revelations'),
    limit: searchOf('/search'),
  },
  {
    title: 'A comment written',
    reference: 'Fastify + an insert of the same row',
    goal: 0.65,
    status: 201,
    requests: ({ ids, token }) => ids.map((id) => commentOn(id, token)),
    limit: ({ ids, userId }) =>
      ids.map((id) =>
        jsonOf(
          { method: 'POST', path: '/insert', headers: {} },
          { revelation_id: id, author_id: userId, content: 'Le commentaire numéro {n}.' },
        ),
      ),
  },
  {
    title: 'A reaction left or taken back',
    reference: 'Fastify + an insert or a deletion of the same row',
    goal: 0.65,
    // On each letter, and then on each again: nobody waits for the row of a letter that another request has.
    requests: ({ ids, token }) => [
      ...ids.map((id) => reactionTo(id, get('/api/reactions', token))),
      ...ids.map((id) => ({ ...get(`/api/reactions/${id}`, token), method: 'DELETE' })),
    ],
    limit: ({ ids, userId }) => [
      ...ids.map((id) => reactionTo(id, get('/reactions'), { author_id: userId })),
      ...ids.map((id) => ({ ...get(`/reactions/${userId}/${id}`), method: 'DELETE' })),
    ],
  },
  ...PAGES.map((name) => ({
    title: `The HTML of ${titleOf(name)}, nothing changed`,
    reference: IN_MEMORY,
    goal: 0.5,
    isQuiet: true,
    requests: (of: SizedProgram) => [getPage(pathOf(name, of))],
    limit: () => [get(`/memory/${name}`)],
  })),
  ...PAGES.map((name) => ({
    title: `The HTML of ${titleOf(name)}, rendered anew`,
    reference: 'Fastify, its tree rendered with its answers in memory, and compressed',
    goal: 0.7,
    isQuiet: true,
    isSlow: true,
    // Each address is another page.
    requests: (of: SizedProgram) => [getPage(`${pathOf(name, of)}?n={n}`)],
    limit: () => [get(`/rendered/${name}`)],
  })),
]

function commentOn(id: string, token: string): Request {
  return jsonOf(
    { ...get('/api/comments', token), method: 'POST' },
    { id: '{uuid}', revelation_id: id, content: 'Le commentaire numéro {n}.' },
  )
}

function reactionTo(id: string, address: Request, more: object = {}): Request {
  return jsonOf({ ...address, method: 'POST' }, { revelation_id: id, emoji: '👍', ...more })
}

export function contestantsOf(
  bench: FeedBench,
  subject: Subject,
  connections: number,
): LoadContestant[] {
  const { status = 200 } = subject
  const { seconds } = bench
  const run =
    (
      { pid, postgresPid }: { pid: number; postgresPid: number },
      port: number,
      requests: Request[],
      written?: SizedProgram,
    ) =>
    async () => {
      const stopWriting =
        written && !subject.isQuiet ? writeBeside(written, bench.writes) : undefined
      const postgresBefore = await readFamilyCpuSeconds(postgresPid)
      const cpuBefore = await readCpuSeconds(pid)
      const load = await bench.load({ port, connections, seconds, requests, status })
      const cpuSeconds = (await readCpuSeconds(pid)) - cpuBefore
      const postgresSeconds = (await readFamilyCpuSeconds(postgresPid)) - postgresBefore
      await stopWriting?.()
      return {
        ...load,
        cpuMicroseconds: (cpuSeconds * 1e6) / load.answers,
        postgresMicroseconds: (postgresSeconds * 1e6) / load.answers,
      }
    }
  return [
    {
      name: subject.reference,
      run: run(
        { pid: bench.limits.pid, postgresPid: bench.main.program.postgresPid },
        bench.limits.port,
        subject.limit(bench.main),
      ),
    },
    ...bench.sized.map((sized) => ({
      name: nameOf(sized),
      run: run(
        sized.program,
        Number(new URL(sized.program.origin).port),
        subject.requests(sized),
        sized,
      ),
    })),
  ]
}

/** Comments on public letters, so many a second, until the answer is called: it throws what one of them threw. */
function writeBeside({ program, token, ids }: SizedProgram, perSecond: number) {
  const written: Promise<unknown>[] = []
  const timer = setInterval(() => {
    const [id = ''] = ids.slice(written.length % ids.length)
    const body = {
      id: randomUUID(),
      revelation_id: id,
      content: 'Un mot de plus, pendant ce temps.',
    }
    written.push(program.call('POST', '/api/comments', { token, body }))
  }, 1000 / perSecond)
  return async () => {
    clearInterval(timer)
    await Promise.all(written)
  }
}

export function nameOf({ revelations }: SizedProgram): string {
  return `with ${revelations.toLocaleString('en')} revelations`
}
