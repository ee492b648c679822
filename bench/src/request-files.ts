import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { UploadResult } from '#contract/media.ts'
import { findFreePort } from '#testing/program.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { createPaddedFilm } from './harness/padded-film.ts'
import { type Program, signUp, startProgram } from './harness/program.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const WARMING = 10
const DAY_MS = 86_400_000

interface ScriptCoverage {
  url: string
  functions: { ranges: { startOffset: number; count: number }[] }[]
}

interface TracedRequest {
  name: string
  /** What has to be there first; its files are not counted. */
  prepare?: () => Promise<string>
  send: (prepared: string) => Promise<unknown>
}

/** Which of our files run for one request, on a server that has answered the same request before. */
export async function run(_: unknown, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const inspector = await findFreePort()
  const environment = { ROLE: 'api', NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` }
  const program = await startProgram(path.join(folder, 'data'), environment, atEnd)
  const requests = await listRequests(program, path.join(folder, 'film.mp4'))
  const { send, close } = await connect(inspector)
  atEnd(close)
  await send('Profiler.enable')
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  for (const request of requests) {
    const answer = async (traced: boolean) => {
      const prepared = (await request.prepare?.()) ?? ''
      if (traced) await send('Profiler.takePreciseCoverage')
      await request.send(prepared)
    }
    for (let n = 0; n < WARMING; n += 1) await answer(false)
    await answer(true)
    const { result } = (await send('Profiler.takePreciseCoverage')) as { result: ScriptCoverage[] }
    const files = await ownFiles(result)
    const counts = Map.groupBy(files, (file) => file.split('/').slice(0, 3).join('/'))
    console.log(`${request.name}: ${files.length} files of ours`)
    console.table(Object.fromEntries([...counts].map(([room, its]) => [room, its.length])))
    console.log(files.join('\n'))
  }
}

async function listRequests(program: Program, filmPath: string): Promise<TracedRequest[]> {
  const { token } = await signUp(program)
  await createPaddedFilm(filmPath, 1024 * 1024)
  const film = new Blob([await readFile(filmPath)], { type: 'video/mp4' })
  const upload = async () => {
    const form = new FormData()
    form.set('folder', 'videos')
    form.set('file', film, 'film.mp4')
    const headers = { authorization: `Bearer ${token}` }
    const url = `${program.origin}/api/upload`
    const answer = await fetch(url, { method: 'POST', headers, body: form })
    if (!answer.ok) throw new Error(`Cannot upload: ${await answer.text()}`)
    return ((await answer.json()) as UploadResult).url
  }
  const seal = async (fileUrl?: string) => {
    const body = {
      title: 'Ce que je crois pour l’an prochain',
      content: 'Une lettre assez longue pour attendre son jour.',
      target_email: 'famille@exemple.test',
      category: 'general',
      visibility: 'public',
      reveal_date: new Date(Date.now() + DAY_MS).toISOString(),
      time_zone: 'Europe/Brussels',
      ...(fileUrl ? { file_url: fileUrl } : {}),
    }
    type Sealed = { revelation: { id: string } }
    const { revelation } = await program.call<Sealed>('POST', '/api/revelations', { token, body })
    return revelation.id
  }
  const id = await seal()
  const visit = async (address: string) => (await fetch(program.origin + address)).arrayBuffer()
  let comments = 0
  return [
    { name: 'GET /', send: () => visit('/') },
    { name: 'GET /revelation/:id', send: () => visit(`/revelation/${id}`) },
    { name: 'POST /api/revelations with a video', prepare: upload, send: seal },
    {
      name: 'POST /api/comments',
      send: () => {
        comments += 1
        const body = { revelation_id: id, content: `Un commentaire ${comments}` }
        return program.call('POST', '/api/comments', { token, body })
      },
    },
    {
      name: 'GET /api/revelations, signed in',
      send: () => program.call('GET', '/api/revelations', { token }),
    },
  ]
}

/** The source files of a built file. */
async function ownFiles(scripts: ScriptCoverage[]): Promise<string[]> {
  const files = new Set<string>()
  for (const { url, functions } of scripts) {
    if (!url.startsWith('file:') || url.includes('/node_modules/')) continue
    const file = fileURLToPath(url)
    const called = functions.filter(({ ranges }) => ranges[0] && ranges[0].count > 0)
    if (called.length === 0) continue
    const sources = file.includes('/dist-server/')
      ? await sourcesOf(file, called)
      : [path.relative(ROOT, file)]
    for (const source of sources) files.add(source)
  }
  return [...files].sort()
}

async function sourcesOf(file: string, functions: ScriptCoverage['functions']): Promise<string[]> {
  const code = await readFile(file, 'utf8')
  const map = new SourceMap(JSON.parse(await readFile(`${file}.map`, 'utf8')))
  return functions.flatMap(({ ranges }) => {
    const before = code.slice(0, ranges[0]?.startOffset).split('\n')
    const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0)
    if (!('originalSource' in entry)) return []
    const source = path.relative(ROOT, path.resolve(path.dirname(file), entry.originalSource))
    return source.includes('node_modules') ? [] : [source]
  })
}

/** Speaks with the debugger of the program. */
async function connect(port: number) {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json`)).json()
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data)
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let last = 0
  const send = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  return { send, close: async () => socket.close() }
}
