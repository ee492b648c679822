import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '#testing/program.ts'
import type { AtEnd } from './clean-up.ts'
import { sealLetters } from './first-screen.ts'
import { startProgram } from './program.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const WARMING = 20

interface ScriptCoverage {
  url: string
  functions: { ranges: { startOffset: number; count: number }[] }[]
}

/** Which of our files run for one page of a visitor, on a server that has rendered that page before. */
export async function run(_: unknown, atEnd: AtEnd): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'revelations-bench-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const inspector = await findFreePort()
  const environment = { ROLE: 'api', NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` }
  const program = await startProgram(path.join(folder, 'data'), environment, atEnd)
  const id = await sealLetters(program)
  const { send, close } = await connect(inspector)
  atEnd(close)
  await send('Profiler.enable')
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  for (const address of ['/', `/revelation/${id}`]) {
    const visit = async () => (await fetch(program.origin + address)).arrayBuffer()
    for (let n = 0; n < WARMING; n += 1) await visit()
    await send('Profiler.takePreciseCoverage')
    await visit()
    const { result } = (await send('Profiler.takePreciseCoverage')) as { result: ScriptCoverage[] }
    const files = await ownFiles(result)
    const counts = Map.groupBy(files, (file) => file.split('/').slice(0, 3).join('/'))
    console.log(`${address}: ${files.length} files of ours`)
    console.table(Object.fromEntries([...counts].map(([room, its]) => [room, its.length])))
    console.log(files.join('\n'))
  }
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
