import type { Load, LoadOrder } from './harness/load-client.ts'
import { readCpuSeconds } from './harness/machine.ts'
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
  /** How the pages of the main size are called in memory. */
  pages: Record<'feed' | 'detail' | 'search', string>
}

export interface LoadContestant {
  name: string
  run(): Promise<MeasuredLoad>
}

/** With the CPU time that each answer took of the Node process that gave it. */
export interface MeasuredLoad extends Load {
  cpuMicroseconds: number
}

export interface FeedBench {
  /** From the smallest to the largest. */
  sized: SizedProgram[]
  /** The one whose pages the limits answer. */
  main: SizedProgram
  limits: Limits
  seconds: number
  load(order: LoadOrder): Promise<Load>
}

type Request = LoadOrder['requests'][number]

export interface Subject {
  title: string
  reference: string
  /** The requests to each program, and to its limit. */
  requests(of: SizedProgram): Request[]
  limit(bench: FeedBench): Request[]
  status?: number
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
      : `n%C2%B0%20${1 + Math.floor((revelations / 400) * n)}`,
  )
}

function jsonOf(request: Request, body: object): Request {
  const headers = { ...request.headers, 'content-type': 'application/json' }
  return { ...request, headers, body: JSON.stringify(body) }
}

export const SUBJECTS: Subject[] = [
  {
    title: 'The feed of a visitor',
    reference: 'Fastify, the same bytes from memory',
    requests: () => [get('/api/revelations')],
    limit: ({ limits }) => [get(limits.pages.feed)],
  },
  {
    title: 'The feed of somebody signed in',
    reference: 'Fastify + session + PostgreSQL',
    requests: ({ token }) => [get('/api/revelations', token)],
    limit: ({ main }) => [get('/live', main.token)],
  },
  {
    title: 'A page for a visitor, one of 400',
    reference: 'Fastify, the same bytes from memory',
    requests: ({ ids }) => ids.map((id) => get(`/api/revelations/${id}`)),
    limit: ({ limits }) => [get(limits.pages.detail)],
  },
  {
    title: 'A search of somebody signed in, one of 400',
    reference: 'Fastify, the same bytes from memory',
    requests: (of) => phrasesOf(of).map((phrase) => get(`/api/revelations?q=${phrase}`, of.token)),
    limit: ({ limits }) => [get(limits.pages.search)],
  },
  {
    title: 'A comment written',
    reference: 'Fastify + an insert of the same row',
    status: 201,
    requests: ({ ids, token }) =>
      ids.map((id) =>
        jsonOf(
          { ...get('/api/comments', token), method: 'POST' },
          { id: '{uuid}', revelation_id: id, content: 'Le commentaire numéro {n}.' },
        ),
      ),
    limit: ({ main }) =>
      main.ids.map((id) =>
        jsonOf(
          { method: 'POST', path: '/insert', headers: {} },
          { revelation_id: id, author_id: main.userId, content: 'Le commentaire numéro {n}.' },
        ),
      ),
  },
]

export function contestantsOf(
  bench: FeedBench,
  subject: Subject,
  connections: number,
): LoadContestant[] {
  const { status = 200 } = subject
  const { seconds } = bench
  const run = (pid: number, port: number, requests: Request[]) => async () => {
    const cpuBefore = await readCpuSeconds(pid)
    const load = await bench.load({ port, connections, seconds, requests, status })
    const cpuSeconds = (await readCpuSeconds(pid)) - cpuBefore
    return { ...load, cpuMicroseconds: (cpuSeconds * 1e6) / load.answers }
  }
  return [
    {
      name: subject.reference,
      run: run(bench.limits.pid, bench.limits.port, subject.limit(bench)),
    },
    ...bench.sized.map((sized) => ({
      name: nameOf(sized),
      run: run(
        sized.program.pid,
        Number(new URL(sized.program.origin).port),
        subject.requests(sized),
      ),
    })),
  ]
}

export function nameOf({ revelations }: SizedProgram): string {
  return `with ${revelations.toLocaleString('en')} revelations`
}
