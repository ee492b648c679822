// Draws the pictures of ARCHITECTURE.md from what imports what, types included. `--check` writes nothing: it fails when one
// is out of date, or when ARCHITECTURE.md or CONTRIBUTING.md names a file that is not there.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { isTest, listFiles, listSources, readSources } from './read-sources.ts'

const { values: options } = parseArgs({ options: { check: { type: 'boolean' } } })
const root = path.join(import.meta.dirname, '..')
const MAP = 'ARCHITECTURE.md'

/** For each node, the nodes that it imports. */
type Graph = Map<string, Set<string>>

interface Place {
  name: string
  /** The package that frames it in the picture. */
  frame: string
}

/** Files that stand beside folders are drawn with those of the same kind. */
const FILES_BESIDE_FOLDERS: readonly [file: RegExp, name: string][] = [
  [/^server\/src\/start\.ts$/, 'start.ts'],
  [/^server\/src\/(api|worker)\.ts$/, 'api.ts, worker.ts'],
  [/^server\/src\/hooks\.ts$/, 'hooks.ts'],
  [/^server\/src\/errors\.ts$/, 'errors.ts'],
  [/^server\/src\/[^/]+\.ts$/, 'context.ts, config.ts, …'],
  [/^web\/src\/routes\.tsx$/, 'routes.tsx'],
  [/^web\/src\/[^/]+\.tsx?$/, 'entry.client.tsx, entry.server.tsx'],
  [/^server\/test(ing)?\//, 'testing, test'],
]

function placeOf(file: string): Place {
  const [frame = '', second = '', third = ''] = file.split('/')
  if (frame !== 'server' && frame !== 'web') return { name: frame, frame: '' }
  const beside = FILES_BESIDE_FOLDERS.find(([files]) => files.test(file))
  return { name: beside?.[1] ?? (second === 'src' ? third : second), frame }
}

function featureOf(file: string): string | undefined {
  return /^server\/src\/features\/([^/]+)\//.exec(file)?.[1]
}

const FOLDERS = [
  ...['contract/src', 'server/src', 'server/test', 'server/testing'],
  ...['web/src', 'web/service-worker', 'web/verifier', 'bench/src', 'e2e'],
]
const paths = listSources(root, FOLDERS).filter((file) => !isTest(file))
const isDrawn = new Set(paths)
const sources = readSources(root, paths)

function readGraph(nodeOf: (file: string) => string | undefined): Graph {
  const graph: Graph = new Map()
  for (const { path: file, imports } of sources) {
    const from = nodeOf(file)
    if (from === undefined) continue
    const edges = graph.get(from) ?? new Set()
    graph.set(from, edges)
    for (const imported of imports) {
      const to = isDrawn.has(imported) ? nodeOf(imported) : undefined
      if (to !== undefined && to !== from) edges.add(to)
    }
  }
  return graph
}

function reachedFrom(graph: Graph, node: string): Set<string> {
  const reached = new Set<string>()
  const waiting = [...(graph.get(node) ?? [])]
  for (const next of waiting) {
    if (reached.has(next)) continue
    reached.add(next)
    waiting.push(...(graph.get(next) ?? []))
  }
  return reached
}

/** Leaves out each arrow whose end a longer way reaches as well. A circle keeps all of its arrows. */
function reduce(graph: Graph): Graph {
  const reached = new Map([...graph.keys()].map((node) => [node, reachedFrom(graph, node)]))
  const isImplied = (from: string, to: string) =>
    [...(graph.get(from) ?? [])].some(
      (by) => by !== to && reached.get(by)?.has(to) && !reached.get(by)?.has(from),
    )
  return new Map(
    Array.from(graph, ([from, edges]) => [
      from,
      new Set([...edges].filter((to) => !isImplied(from, to))),
    ]),
  )
}

/** How many nodes the longest way down from here meets. */
function heightOf(graph: Graph, node: string, above: readonly string[] = []): number {
  const below = [...(graph.get(node) ?? [])].filter((next) => !above.includes(next))
  return Math.max(0, ...below.map((next) => 1 + heightOf(graph, next, [...above, node])))
}

/** The arrows in Mermaid, from high to low: a line for each node that imports. */
function drawArrows(graph: Graph): string[] {
  const reduced = reduce(graph)
  const ends = new Set([...reduced.values()].flatMap((edges) => [...edges]))
  const height = new Map([...reduced.keys()].map((node) => [node, heightOf(reduced, node)]))
  const nodes = [...reduced.keys()].sort(
    (one, other) => (height.get(other) ?? 0) - (height.get(one) ?? 0) || (one < other ? -1 : 1),
  )
  return nodes.flatMap((node) => {
    const edges = [...(reduced.get(node) ?? [])].sort()
    if (edges.length > 0) return `${idOf(node)} --> ${edges.map(idOf).join(' & ')}`
    return ends.has(node) ? [] : idOf(node)
  })
}

/** `server/api.ts, worker.ts` is `server_api` to Mermaid: its first file or folder, without what Mermaid might read. */
function idOf(node: string): string {
  return (node.split(/[.,]/)[0] ?? '').replaceAll('/', '_')
}

function drawFeatures(): string[] {
  return ['flowchart TB', ...drawArrows(readGraph(featureOf)).map((line) => `  ${line}`)]
}

function drawFolders(): string[] {
  const places = new Map<string, Place>()
  const graph = readGraph((file) => {
    const place = placeOf(file)
    const node = place.frame ? `${place.frame}/${place.name}` : place.name
    places.set(node, place)
    return node
  })
  const framed = Map.groupBy([...graph.keys()].sort(), (node) => places.get(node)?.frame ?? '')
  const frames = [...framed].flatMap(([frame, nodes]) => {
    const labels = nodes.map((node) => `${idOf(node)}["${places.get(node)?.name}"]`)
    return frame ? [`subgraph ${frame}`, `  ${labels.join(' & ')}`, 'end'] : []
  })
  return ['flowchart TB', ...[...frames, ...drawArrows(graph)].map((line) => `  ${line}`)]
}

const PICTURES = { folders: drawFolders, features: drawFeatures }

const before = readFileSync(path.join(root, MAP), 'utf8')
const complaints: string[] = []
let after = before
for (const [name, draw] of Object.entries(PICTURES)) {
  const place = new RegExp(`(?<=<!-- map of ${name} -->\n).*?(?=<!-- end of map -->)`, 's')
  const picture = ['```mermaid', ...draw(), '```', ''].join('\n')
  const [drawn] = place.exec(after) ?? []
  if (drawn === undefined) throw new Error(`${MAP} has no place for the map of ${name}`)
  if (drawn === picture) continue
  complaints.push(
    `${MAP}: the map of ${name} does not show the imports as they are; \`npm run map\` draws it anew`,
  )
  after = after.replace(place, () => picture)
}

if (options.check) {
  const files = listFiles(root)
  for (const page of [MAP, 'CONTRIBUTING.md']) {
    const text = readFileSync(path.join(root, page), 'utf8')
    for (const [, name = ''] of text.matchAll(/`([\w./-]+\.(?:tsx?|c?js|json|md|sql))`/g)) {
      if (files.some((file) => file === name || file.endsWith(`/${name}`))) continue
      complaints.push(`${page}: there is no ${name}; name the file that does it now`)
    }
  }
  for (const complaint of complaints) console.error(complaint)
  process.exitCode = complaints.length > 0 ? 1 : 0
} else {
  if (after !== before) writeFileSync(path.join(root, MAP), after)
  console.log(complaints.length > 0 ? `${MAP} is drawn anew` : `${MAP} was current`)
}
