// Runs everything that must hold, in the order in which it fails fastest, and says what it cost. See CONTRIBUTING.md.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import {
  type FileResult,
  printTimings,
  RESULTS_FOLDER,
  readPlaywrightResults,
  readVitestResults,
  recordTimings,
  type Suite,
} from './test-timings.ts'

const { values: options } = parseArgs({
  options: { all: { type: 'boolean' }, record: { type: 'boolean' } },
})

const suite: Suite = options.all ? 'script/test --all' : 'script/test'

interface Step {
  name: string
  command: string[]
  /** What it needs to have succeeded. */
  needs?: string
  results?: () => FileResult[]
}

const vitestFile = `${RESULTS_FOLDER}/vitest.json`
const steps: Step[] = [
  { name: 'check', command: ['npm', 'run', '--silent', 'check'] },
  { name: 'build', command: ['npm', 'run', '--silent', 'build'] },
  {
    name: 'vitest',
    needs: 'build',
    command: [
      ...['vitest', 'run', ...(options.all ? [] : ['--project', '!system'])],
      ...['--reporter', 'dot', '--reporter', 'json', '--outputFile.json', vitestFile],
    ],
    results: () => readVitestResults(vitestFile),
  },
  {
    name: 'journeys',
    needs: 'build',
    command: options.all
      ? ['npm', 'run', '--silent', 'e2e:all']
      : ['npm', 'run', '--silent', 'e2e', '--', '--grep-invert', '@all'],
    results: () => readPlaywrightResults(`${RESULTS_FOLDER}/e2e.json`),
  },
]

rmSync(RESULTS_FOLDER, { recursive: true, force: true })
mkdirSync(RESULTS_FOLDER, { recursive: true })

const seconds: Record<string, number> = {}
const failed = new Set<string>()
const files: FileResult[] = []
for (const { name, command, needs, results } of steps) {
  if (needs && failed.has(needs)) {
    failed.add(name)
    continue
  }
  console.log(`\n— ${name}: ${command.join(' ')}`)
  const start = performance.now()
  const [file = '', ...args] = command
  const { status } = spawnSync(file, args, { stdio: 'inherit' })
  seconds[name] = (performance.now() - start) / 1000
  if (status !== 0) failed.add(name)
  if (results) files.push(...results())
}

printTimings(suite, seconds, files)
if (options.record && failed.size === 0) recordTimings(suite, seconds, files)
for (const { file, command, failures } of files.filter((one) => one.failed > 0)) {
  console.log(`red: ${file}\n  ${command}`)
  // Again here: whoever reads the end of a long log finds the reason beside the name.
  for (const failure of failures) console.log(beginningOf(failure))
}
if (failed.size > 0) console.log(`red: ${[...failed].join(', ')}`)
const total = (key: 'passed' | 'failed' | 'skipped') =>
  files.reduce((sum, file) => sum + file[key], 0)
console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`)
process.exitCode = failed.size > 0 ? 1 : 0

/** Without its colours, and without what stands below the reason: the stack, the page. */
function beginningOf(failure: string): string {
  const lines = stripVTControlCharacters(failure)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines
    .map((line) => `    ${line}`)
    .slice(0, 12)
    .join('\n')
}
