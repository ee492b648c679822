// Prints the figures of the house: sizes, lonely files, circles, odd verbs. It refuses nothing; a reader judges.
// `node script/house-figures.ts [root] [--list] [--under <folder>]`: `--list` names each lonely file and odd name.
import path from 'node:path'
import { parseArgs } from 'node:util'
import ts from 'typescript'
import { listSources, readSources, type SourceFile } from './read-sources.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, under: { type: 'string', default: '' } },
})
const root = path.resolve(positionals[0] ?? path.join(import.meta.dirname, '..'))

/** Test helpers are counted apart; their importers are the tests too. */
const PACKAGES = [
  { name: 'contract', folders: ['contract/src'] },
  { name: 'server', folders: ['server/src'] },
  { name: 'server/testing', folders: ['server/testing', 'server/test'], helpers: true },
  { name: 'web', folders: ['web'] },
  { name: 'bench', folders: ['bench/src'] },
  { name: 'e2e', folders: ['e2e'] },
] as const

/** CONTRIBUTING.md, « Names »: these verbs tell a reader nothing of what is done. */
const ODD_WORDS = new Set(
  (
    'keep keeps kept keeping hold holds held holding tell tells told telling say says said saying ' +
    'ask asks asked asking hear hears heard hearing meet meets met meeting make makes made making ' +
    'take takes took taken taking give gives gave given giving look looks looked looking mind minds'
  ).split(' '),
)

/** `line: name` of each declaration with an odd word in its name, by file. */
const oddNames = new Map<string, { name: string; line: number; word: string }[]>()

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

function noteOddName(node: ts.Node, source: ts.SourceFile): void {
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node)
  const name = isNamed ? node.name : undefined
  if (!name || !ts.isIdentifier(name)) return
  const word = wordsOf(name.text).find((one) => ODD_WORDS.has(one))
  if (!word) return
  const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1
  const ofFile = oddNames.get(source.fileName) ?? []
  oddNames.set(source.fileName, [...ofFile, { name: name.text, line, word }])
}

function oddNamesOf(file: SourceFile) {
  return oddNames.get(file.path) ?? []
}

/** The circles of a graph: its strongly connected components of two or more (Tarjan). */
function findCircles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const circles: string[][] = []

  function visit(node: string): void {
    order.set(node, order.size)
    low.set(node, order.size - 1)
    stack.push(node)
    onStack.add(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (onStack.has(next)) {
        low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
      }
    }
    if (low.get(node) !== order.get(node)) return
    const circle = stack.splice(stack.indexOf(node))
    for (const one of circle) onStack.delete(one)
    if (circle.length > 1) circles.push(circle.sort())
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles.sort((one, other) => other.length - one.length)
}

/** Two levels below the sources; a file that stands beside folders is a node of its own. */
function folderOf(file: string): string {
  const parts = file.split('/')
  const depth = parts[1] === 'src' ? 4 : 3
  const folder = parts.slice(0, -1)
  return folder.length < depth - 1 ? file : folder.slice(0, depth).join('/')
}

function folderGraph(files: readonly SourceFile[]): Map<string, Set<string>> {
  const paths = new Set(files.map((file) => file.path))
  const graph = new Map<string, Set<string>>()
  for (const file of files) {
    const from = folderOf(file.path)
    const edges = graph.get(from) ?? new Set()
    graph.set(from, edges)
    for (const to of file.imports) {
      if (paths.has(to) && folderOf(to) !== from) edges.add(folderOf(to))
    }
  }
  return graph
}

/** The value below which this share of the sorted numbers lies. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

const folders = PACKAGES.flatMap(({ folders }) => [...folders])
const sources = readSources(root, listSources(root, folders), noteOddName)
const lists: string[] = []
const table: Record<string, Record<string, number | string>> = {}
for (const { name, folders, ...rest } of PACKAGES) {
  const isInside = (file: string) => folders.some((folder) => file.startsWith(`${folder}/`))
  const isHelpers = 'helpers' in rest
  const files = sources.filter((one) => !one.isTest && isInside(one.path))
  const importersOf = new Map<string, string[]>(files.map((file) => [file.path, []]))
  for (const source of sources) {
    if (source.isTest && !isHelpers) continue
    for (const to of source.imports) importersOf.get(to)?.push(source.path)
  }
  const lonely = files.filter(({ path: file }) => {
    const [importer, ...others] = importersOf.get(file) ?? []
    return importer && others.length === 0 && path.dirname(importer) === path.dirname(file)
  })
  const paths = new Set(files.map((file) => file.path))
  const fileCircles = findCircles(
    new Map(files.map((file) => [file.path, new Set(file.imports.filter((to) => paths.has(to)))])),
  )
  const folderCircles = findCircles(folderGraph(files)).filter((circle) =>
    circle.some((node) => !paths.has(node)),
  )
  const oddFiles = files.filter((file) =>
    wordsOf(path.basename(file.path)).some((word) => ODD_WORDS.has(word)),
  )
  const lines = files.map((file) => file.lines)
  table[name] = {
    files: files.length,
    lines: lines.reduce((sum, one) => sum + one, 0),
    median: quantile(lines, 0.5),
    p90: quantile(lines, 0.9),
    'under 25': lines.filter((one) => one < 25).length,
    lonely: lonely.length,
    'file circles': sizesOf(fileCircles),
    'folder circles': sizesOf(folderCircles),
    'odd names': files.reduce((sum, file) => sum + oddNamesOf(file).length, 0),
    'odd files': oddFiles.length,
  }
  for (const circle of fileCircles) lists.push(`circle of files: ${circle.join(', ')}`)
  for (const circle of folderCircles) lists.push(`circle of folders: ${circle.join(', ')}`)
  if (!options.list) continue
  const isWanted = (file: SourceFile) => file.path.startsWith(options.under)
  for (const file of lonely.filter(isWanted)) lists.push(`lonely: ${file.path} ${file.lines}`)
  for (const file of oddFiles.filter(isWanted)) lists.push(`odd file: ${file.path}`)
  for (const file of files.filter(isWanted)) {
    for (const odd of oddNamesOf(file)) lists.push(`odd name: ${file.path}:${odd.line} ${odd.name}`)
  }
}

/** `0`, or how many nodes each circle has: `8 + 2`. */
function sizesOf(circles: readonly string[][]): number | string {
  return circles.length === 0 ? 0 : circles.map(({ length }) => length).join(' + ')
}

const words = new Map<string, number>()
for (const { word } of sources.filter((one) => !one.isTest).flatMap(oddNamesOf)) {
  words.set(word, (words.get(word) ?? 0) + 1)
}
console.table(table)
for (const line of lists) console.log(line)
const byCount = [...words].sort(([, one], [, other]) => other - one)
console.log(`odd verbs: ${byCount.map(([word, count]) => `${word} ${count}`).join(', ') || 'none'}`)
