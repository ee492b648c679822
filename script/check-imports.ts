// Checks who imports whom, and that every rule was tried on files: a rule that reads none proves nothing.
import { execFileSync } from 'node:child_process'
import configuration from '../.dependency-cruiser.cjs'

interface Cruise {
  modules: { source: string; dependencies: { couldNotResolve: boolean; module: string }[] }[]
  summary: { violations: { from: string; to: string; rule: { name: string } }[] }
}

const folders = ['contract/src', 'server/src', 'web/src']
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
]
for (const complaint of complaints) console.error(complaint)
console.log(
  `${ours.length} files read, ${configuration.forbidden.length} rules, ${complaints.length} complaints`,
)
process.exit(complaints.length > 0 ? 1 : 0)
