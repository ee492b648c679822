// Prints the figures of the house: sizes, lonely files, circles, odd verbs. It refuses nothing; a reader judges.
// `node script/house-figures.ts [root] [--list] [--under <folder>]`: `--list` names each lonely file and odd name.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import ts from 'typescript'

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

interface SourceFile {
  path: string
  lines: number
  isTest: boolean
  /** Repository paths of what it imports, types included. */
  imports: string[]
  /** `line: name` of each declaration with an odd word in its name. */
  oddNames: { name: string; line: number; word: string }[]
}

function listPaths(): string[] {
  const git = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx']
  const listed = execFileSync('git', git, { cwd: root, encoding: 'utf8' }).split('\n')
  return listed.filter(
    (file) =>
      PACKAGES.some(({ folders }) => folders.some((folder) => file.startsWith(`${folder}/`))) &&
      !file.endsWith('.d.ts') &&
      existsSync(path.join(root, file)),
  )
}

/** `imports` and `exports` of the packages, as `[prefix, folder]`. */
function readAliases(): Map<string, [prefix: string, folder: string][]> {
  const aliases = new Map<string, [string, string][]>()
  const exported = new Map<string, [string, string][]>()
  const names = ['contract', 'server', 'web', 'bench', 'e2e']
  const manifests = names.map((name) => ({
    name,
    manifest: JSON.parse(readFileSync(path.join(root, name, 'package.json'), 'utf8')),
  }))
  for (const { name, manifest } of manifests) {
    const entries = Object.entries<string>(manifest.exports ?? { './*': './*' })
    exported.set(
      manifest.name,
      entries.map(([key, to]) => [
        `${manifest.name}/${key.slice(2, -1)}`,
        path.join(name, to.slice(0, -1)),
      ]),
    )
  }
  const everywhere = [...exported.values()].flat()
  for (const { name, manifest } of manifests) {
    const own = Object.entries<string>(manifest.imports ?? {}).map(
      ([key, to]): [string, string] => [
        key.slice(0, -1),
        to.startsWith('.')
          ? path.join(name, to.slice(0, -1))
          : resolveIn(everywhere, to.slice(0, -1)),
      ],
    )
    aliases.set(
      name,
      [...own, ...everywhere].sort(([one], [other]) => other.length - one.length),
    )
  }
  return aliases
}

function resolveIn(aliases: readonly [string, string][], specifier: string): string {
  const found = aliases.find(([prefix]) => specifier.startsWith(prefix))
  return found ? found[1] + specifier.slice(found[0].length) : ''
}

const aliases = readAliases()

function resolveImport(from: string, specifier: string): string {
  const name = specifier.split('?')[0] ?? ''
  if (name.startsWith('.')) return path.join(path.dirname(from), name)
  return resolveIn(aliases.get(from.split('/')[0] ?? '') ?? [], name)
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

function readSource(file: string): SourceFile {
  const text = readFileSync(path.join(root, file), 'utf8')
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind)
  const imports = new Set<string>()
  const oddNames: SourceFile['oddNames'] = []

  function noteName(name: ts.Node | undefined): void {
    if (!name || !ts.isIdentifier(name)) return
    const word = wordsOf(name.text).find((one) => ODD_WORDS.has(one))
    if (!word) return
    const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1
    oddNames.push({ name: name.text, line, word })
  }

  function noteImport(specifier: ts.Node | undefined): void {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    const resolved = resolveImport(file, specifier.text)
    if (resolved) imports.add(resolved)
  }

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      noteImport(node.moduleSpecifier)
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      noteImport(node.argument.literal)
    } else if (
      ts.isCallExpression(node) &&
      (node.expression.kind === ts.SyntaxKind.ImportKeyword ||
        (ts.isPropertyAccessExpression(node.expression) &&
          node.expression.name.text === 'importActual'))
    ) {
      noteImport(node.arguments[0])
    }
    if (
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isVariableDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isMethodSignature(node)
    ) {
      noteName(node.name)
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  const isTest = /\.test\.tsx?$/.test(file) || file.startsWith('web/src/test/')
  return { path: file, lines: countLines(text), isTest, imports: [...imports], oddNames }
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
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

const sources = listPaths().map(readSource)
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
    'odd names': files.reduce((sum, file) => sum + file.oddNames.length, 0),
    'odd files': oddFiles.length,
  }
  for (const circle of fileCircles) lists.push(`circle of files: ${circle.join(', ')}`)
  for (const circle of folderCircles) lists.push(`circle of folders: ${circle.join(', ')}`)
  if (!options.list) continue
  const isWanted = (file: SourceFile) => file.path.startsWith(options.under)
  for (const file of lonely.filter(isWanted)) lists.push(`lonely: ${file.path} ${file.lines}`)
  for (const file of oddFiles.filter(isWanted)) lists.push(`odd file: ${file.path}`)
  for (const file of files.filter(isWanted)) {
    for (const odd of file.oddNames) lists.push(`odd name: ${file.path}:${odd.line} ${odd.name}`)
  }
}

/** `0`, or how many nodes each circle has: `8 + 2`. */
function sizesOf(circles: readonly string[][]): number | string {
  return circles.length === 0 ? 0 : circles.map(({ length }) => length).join(' + ')
}

const words = new Map<string, number>()
for (const { word } of sources.filter((one) => !one.isTest).flatMap((one) => one.oddNames)) {
  words.set(word, (words.get(word) ?? 0) + 1)
}
console.table(table)
for (const line of lists) console.log(line)
const byCount = [...words].sort(([, one], [, other]) => other - one)
console.log(`odd verbs: ${byCount.map(([word, count]) => `${word} ${count}`).join(', ') || 'none'}`)
