import type { OwnRevelation } from '#contract/revelations.ts'
import type { Program } from './harness/program.ts'
import type { Contestant } from './harness/rounds.ts'
import {
  copyDurably,
  type PlainServer,
  secondsOf,
  sendFile,
  streamDurably,
  type TransferClient,
} from './harness/transfers.ts'

const MB = 1024 * 1024
/** The read size of the program's own storage. */
const READ_BYTES = 512 * 1024

export interface MediaBench {
  program: Program
  plain: PlainServer
  client: TransferClient
  token: string
  film: { path: string; bytes: number }
  /** The folder of the copies of the film. */
  scratch: string
  /** Deletes the stored objects as the worker would, so that the disk does not fill. */
  sweep?: () => Promise<void>
}

export const UPLOAD_REFERENCES = ['plain copy', 'Node file stream', 'plain form']

export function uploadContestants(bench: MediaBench): Contestant[] {
  return [...plainUploads(bench), sealedUpload('sealed upload', bench)]
}

/** The same bytes without us. */
export function plainUploads({ film, scratch, client, plain }: MediaBench): Contestant[] {
  const megabytes = film.bytes / MB
  return [
    {
      name: 'plain copy',
      pid: process.pid,
      megabytes,
      run: () => secondsOf(() => copyDurably(film.path, scratch)),
    },
    {
      name: 'Node file stream',
      pid: process.pid,
      megabytes,
      run: () => secondsOf(() => streamDurably(film.path, scratch, READ_BYTES)),
    },
    {
      name: 'plain form',
      pid: plain.pid,
      megabytes,
      run: async () => {
        const sent = { url: plain.uploads, headers: {}, file: film.path, fileBytes: film.bytes }
        return (await client.transfer({ kind: 'upload', ...sent })).seconds
      },
    },
  ]
}

/** One file to the program, in one form or in parts, which is deleted again out of the time. */
export function sealedUpload(
  name: string,
  bench: MediaBench,
  { kind = 'upload', ...beside }: { kind?: 'upload' | 'resumable'; besidePid?: number } = {},
): Contestant {
  const { program, token, film } = bench
  return {
    name,
    pid: program.pid,
    ...beside,
    megabytes: film.bytes / MB,
    run: async () => {
      const { seconds, upload } = await sendFilm(bench, kind)
      await program.call('DELETE', '/api/delete', { token, body: { path: upload.path } })
      await bench.sweep?.()
      return seconds
    },
  }
}

function sendFilm(
  { program: { origin }, client, token, film }: MediaBench,
  kind: 'upload' | 'resumable' = 'upload',
) {
  return sendFile(client, { origin, token, kind, file: film.path, fileBytes: film.bytes })
}

/** Seals the film in a revelation that opens at once, for a visitor to read; the answer is its address. */
export async function publishFilm(bench: MediaBench): Promise<() => Promise<string>> {
  const { program, token } = bench
  const { upload } = await sendFilm(bench)
  const body = {
    title: 'Un long film',
    content: 'Le voici tout entier.',
    target_email: 'bench@exemple.test',
    reveal_date: new Date().toISOString(),
    file_url: upload.url,
  }
  const path = '/api/revelations'
  const { revelation } = await program.call<Answer>('POST', path, { token, body })
  return async () => {
    // Fetched each time: its ticket is valid for minutes only.
    const read = await program.call<Answer>('GET', `${path}/${revelation.id}`)
    return `${program.origin}${read.revelation.file_url}`
  }
}

interface Answer {
  revelation: Pick<OwnRevelation, 'id' | 'file_url'>
}

export const READ_REFERENCES = ['plain server']

export interface ReadPattern {
  connections: number
  rangeBytes: number
  /** Of each connection. */
  ranges: number
  isRandom: boolean
}

export function readContestants(
  { client, plain, program, film }: MediaBench,
  addressOfFilm: () => Promise<string>,
  { connections, rangeBytes, ranges, isRandom }: ReadPattern,
): Contestant[] {
  const choose = isRandom ? randomRanges : sequentialRanges
  const chosen = choose(film.bytes, connections, rangeBytes, ranges)
  const bytes = chosen.flat().reduce((sum, [first, last]) => sum + last - first + 1, 0)
  const megabytes = bytes / MB
  async function read(url: string): Promise<number> {
    return (await client.transfer({ kind: 'read', url, connections: chosen })).seconds
  }
  return [
    { name: 'plain server', pid: plain.pid, megabytes, run: () => read(plain.reads) },
    {
      name: 'sealed reads',
      pid: program.pid,
      megabytes,
      run: async () => read(await addressOfFilm()),
    },
  ]
}

type Range = [first: number, last: number]

/** Each connection reads on from its own place of the file, and begins again at the end of it. */
function sequentialRanges(fileBytes: number, connections: number, bytes: number, count: number) {
  const rangeBytes = Math.min(bytes, fileBytes)
  return Array.from({ length: connections }, (_, connection): Range[] =>
    Array.from({ length: count }, (_, index) => {
      const start = Math.floor((fileBytes * connection) / connections) + index * rangeBytes
      return rangeAt(start % fileBytes, rangeBytes, fileBytes)
    }),
  )
}

/** The same places at each call, so that everyone compared reads the same. */
function randomRanges(fileBytes: number, connections: number, bytes: number, count: number) {
  const rangeBytes = Math.min(bytes, fileBytes)
  let state = 1
  function nextFraction(): number {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: connections }, (): Range[] =>
    Array.from({ length: count }, () =>
      rangeAt(Math.floor(nextFraction() * fileBytes), rangeBytes, fileBytes),
    ),
  )
}

function rangeAt(start: number, bytes: number, fileBytes: number): Range {
  const first = Math.min(start, fileBytes - bytes)
  return [first, first + bytes - 1]
}
