// Checks who imports whom, and that every rule was tried on files: a rule that reads none proves nothing.
import { execFileSync } from 'node:child_process'
import configuration from '../.dependency-cruiser.cjs'

interface Cruise {
  modules: {
    source: string
    dependencies: { couldNotResolve: boolean; module: string; resolved: string }[]
  }[]
  summary: { violations: { from: string; to: string; rule: { name: string } }[] }
}

const folders = [
  'contract/src',
  'server/src',
  'server/test',
  'server/testing',
  'web/src',
  'bench/src',
  'e2e',
]
const output = execFileSync(
  'depcruise',
  ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders],
  { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
)
const { modules, summary } = JSON.parse(output) as Cruise
const ours = modules.filter(({ source }) => folders.some((folder) => source.startsWith(folder)))
const complaints = [
  ...summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`),
  ...folders
    .filter((folder) => !ours.some(({ source }) => source.startsWith(folder)))
    .map((folder) => `${folder}: no file was read`),
  ...configuration.forbidden
    .filter(
      ({ from }) => from.path && !ours.some(({ source }) => new RegExp(from.path).test(source)),
    )
    .map(({ name }) => `${name}: the rule was tried on no file`),
  ...ours.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ couldNotResolve, module }) => couldNotResolve && module.startsWith('#'))
      .map(({ module }) => `${source}: ${module} was not found, so no rule looked at it`),
  ),
  ...findFolderCircles().map(
    ({ folders, imports }) =>
      `no-folder-circles: ${folders.join(', ')}, by\n${imports.map((one) => `  ${one}`).join('\n')}`,
  ),
]
for (const complaint of complaints) console.error(complaint)
console.log(
  `${ours.length} files read, ${configuration.forbidden.length} rules, ${complaints.length} complaints`,
)
process.exit(complaints.length > 0 ? 1 : 0)

/** The server's features that reach each other both ways, types included, and the imports between them. */
function findFolderCircles(): { folders: string[]; imports: string[] }[] {
  const edges = ours
    .filter(({ source }) => !source.endsWith('.test.ts'))
    .flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => ({
        from: featureOf(source),
        to: featureOf(resolved),
        line: `${source} → ${resolved}`,
      })),
    )
    .filter(({ from, to }) => from !== undefined && to !== undefined && from !== to)
  const names = [...new Set(edges.map(({ from }) => from as string))]
  const reached = new Map(names.map((name) => [name, reachedFrom(name, edges)]))
  const isMutual = (one: string, other: string) =>
    Boolean(reached.get(one)?.has(other) && reached.get(other)?.has(one))
  const groups = names
    .filter((name) => isMutual(name, name))
    .map((name) => names.filter((other) => isMutual(name, other)).sort())
  const circles = new Map(groups.map((folders) => [folders.join(), folders]))
  return [...circles.values()].map((folders) => ({
    folders,
    imports: edges
      .filter(({ from, to }) => folders.includes(from ?? '') && folders.includes(to ?? ''))
      .map(({ line }) => line),
  }))
}

function reachedFrom(
  name: string,
  edges: readonly { from: string | undefined; to: string | undefined }[],
): Set<string> {
  const reached = new Set<string>()
  const waiting = [name]
  for (const next of waiting) {
    for (const { from, to } of edges) {
      if (from !== next || to === undefined || reached.has(to)) continue
      reached.add(to)
      waiting.push(to)
    }
  }
  return reached
}

function featureOf(file: string): string | undefined {
  return /^server\/src\/features\/([^/]+)\//.exec(file)?.[1]
}
