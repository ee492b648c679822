// Reads the sources of the packages and who imports whom, types included: house-figures.ts counts them, draw-map.ts draws them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

export interface SourceFile {
  path: string
  lines: number
  isTest: boolean
  /** Repository paths of what it imports, types included. */
  imports: string[]
}

type Aliases = [prefix: string, folder: string][]

const HOW_TO_PARSE = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
}

const PACKAGE_NAMES = ['contract', 'server', 'web', 'bench', 'e2e']

/** Reads these files of the repository at `root`; `onNode` sees every node of their syntax. */
export function readSources(
  root: string,
  paths: readonly string[],
  onNode?: (node: ts.Node, source: ts.SourceFile) => void,
): SourceFile[] {
  const aliases = readAliases(root)
  return paths.map((file) => readSource(root, aliases, file, onNode))
}

/** The files of the repository, those that are not committed yet included. */
export function listFiles(root: string, ...patterns: string[]): string[] {
  const git = ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns]
  const listed = execFileSync('git', git, { cwd: root, encoding: 'utf8' }).split('\n')
  return listed.filter((file) => file && existsSync(path.join(root, file)))
}

/** The paths of the sources below these folders. */
export function listSources(root: string, folders: readonly string[]): string[] {
  return listFiles(root, '*.ts', '*.tsx').filter(
    (file) => folders.some((folder) => file.startsWith(`${folder}/`)) && !file.endsWith('.d.ts'),
  )
}

/** `imports` and `exports` of the packages, as `[prefix, folder]`. */
function readAliases(root: string): Map<string, Aliases> {
  const aliases = new Map<string, Aliases>()
  const exported = new Map<string, Aliases>()
  const manifests = PACKAGE_NAMES.map((name) => ({
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

function resolveIn(aliases: Readonly<Aliases>, specifier: string): string {
  const found = aliases.find(([prefix]) => specifier.startsWith(prefix))
  return found ? found[1] + specifier.slice(found[0].length) : ''
}

function resolveImport(aliases: Map<string, Aliases>, from: string, specifier: string): string {
  const name = specifier.split('?')[0] ?? ''
  if (name.startsWith('.')) return path.join(path.dirname(from), name)
  return resolveIn(aliases.get(from.split('/')[0] ?? '') ?? [], name)
}

function readSource(
  root: string,
  aliases: Map<string, Aliases>,
  file: string,
  onNode?: (node: ts.Node, source: ts.SourceFile) => void,
): SourceFile {
  const text = readFileSync(path.join(root, file), 'utf8')
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, text, HOW_TO_PARSE, false, kind)
  const imports = new Set<string>()

  function noteImport(specifier: ts.Node | undefined): void {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    const resolved = resolveImport(aliases, file, specifier.text)
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
    onNode?.(node, source)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return { path: file, lines: countLines(text), isTest: isTest(file), imports: [...imports] }
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || file.startsWith('web/src/test/')
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
