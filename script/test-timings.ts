// How long each test file took, beside the times recorded in `test-timings.json`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where the runners write their results, from the root of the repository. */
export const RESULTS_FOLDER = 'test-results/timings'
const RECORDED = path.join(import.meta.dirname, 'test-timings.json')
const FOLDERS_SHOWN = 25

export interface FileResult {
  /** From the root of the repository. */
  file: string
  seconds: number
  passed: number
  failed: number
  skipped: number
  /** What failed and why, a text for each; a retry is none. */
  failures: string[]
  /** Runs this file alone. */
  command: string
}

/** The two suites take other times: each is compared with itself. */
export type Suite = 'script/test' | 'script/test --all'
type Recorded = Partial<Record<Suite, Timings>>

interface Timings {
  /** Seconds of each step. */
  steps: Record<string, number>
  /** Seconds of each test file. */
  files: Record<string, number>
}

/** Reads what `vitest --reporter json` wrote; nothing where it wrote nothing. */
export function readVitestResults(resultFile: string): FileResult[] {
  const results = readJson<VitestResults>(resultFile)
  return (results?.testResults ?? []).map(
    ({ name, status, message, startTime, endTime, assertionResults }) => {
      const file = path.relative(process.cwd(), name)
      const count = (wanted: string) =>
        assertionResults.filter((test) => test.status === wanted).length
      const passed = count('passed')
      const failed = Math.max(count('failed'), status === 'failed' ? 1 : 0)
      return {
        file,
        seconds: (endTime - startTime) / 1000,
        passed,
        failed,
        skipped: assertionResults.length - passed - count('failed'),
        failures: [
          ...(message ? [message] : []),
          ...assertionResults
            .filter((test) => test.status === 'failed')
            .map(({ fullName, failureMessages }) => [fullName, ...failureMessages].join('\n')),
        ],
        command: `npm test -- ${file}`,
      }
    },
  )
}

interface VitestResults {
  testResults: {
    name: string
    status: string
    /** What stopped the file itself, before or after its tests. */
    message: string
    startTime: number
    endTime: number
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

/** Reads what Playwright’s JSON reporter wrote; nothing where it wrote nothing. */
export function readPlaywrightResults(resultFile: string): FileResult[] {
  const results = readJson<{ suites: PlaywrightSuite[] }>(resultFile)
  return (results?.suites ?? []).map((suite) => {
    const tests = testsOf(suite)
    const withStatus = (wanted: string) => tests.filter(({ status }) => status === wanted)
    const count = (wanted: string) => withStatus(wanted).length
    return {
      file: `e2e/${suite.file}`,
      seconds: tests
        .flatMap((test) => test.results)
        .reduce((sum, { duration }) => sum + duration / 1000, 0),
      passed: count('expected'),
      failed: count('unexpected'),
      skipped: count('skipped'),
      failures: withStatus('unexpected').map(({ title, projectName, results }) =>
        [
          `[${projectName}] ${title}`,
          ...results.flatMap(({ errors }) => errors.map(({ message }) => message)),
        ].join('\n'),
      ),
      command: `npm run e2e -- ${suite.file}`,
    }
  })
}

interface PlaywrightSuite {
  file: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: PlaywrightTest[] }[]
}

interface PlaywrightTest {
  projectName: string
  status: string
  results: { duration: number; errors: { message?: string }[] }[]
}

function testsOf({
  suites = [],
  specs = [],
}: PlaywrightSuite): (PlaywrightTest & { title: string })[] {
  const own = specs.flatMap(({ title, tests }) => tests.map((test) => ({ ...test, title })))
  return [...own, ...suites.flatMap(testsOf)]
}

/** Prints the seconds of each step and of the slowest folders, each beside what was recorded last. */
export function printTimings(
  suite: Suite,
  steps: Timings['steps'],
  files: readonly FileResult[],
): void {
  const recorded = readJson<Recorded>(RECORDED)?.[suite] ?? { steps: {}, files: {} }
  const ran = new Set(files.map(({ file }) => file))
  const before = Object.entries(recorded.files).map(([file, seconds]) => ({ file, seconds }))
  console.log('\nseconds, recorded → now')
  printRows(Object.entries(steps).map(([name, now]) => [name, recorded.steps[name], now]))
  const now = sumByFolder(files)
  const then = sumByFolder(before.filter(({ file }) => ran.has(file)))
  const folders = [...now].sort(([, one], [, other]) => other - one)
  console.log(`\nby folder, the ${FOLDERS_SHOWN} slowest (${RESULTS_FOLDER} has every file)`)
  printRows(
    folders.slice(0, FOLDERS_SHOWN).map(([name, seconds]) => [name, then.get(name), seconds]),
  )
}

function printRows(rows: [name: string, recorded: number | undefined, now: number][]): void {
  for (const [name, recorded, now] of rows) {
    const before = recorded === undefined ? 'new' : recorded.toFixed(1)
    console.log(`${before.padStart(8)} → ${now.toFixed(1).padStart(6)}  ${name}`)
  }
}

function sumByFolder(files: readonly { file: string; seconds: number }[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { file, seconds } of files) {
    const folder = path.dirname(file)
    sums.set(folder, (sums.get(folder) ?? 0) + seconds)
  }
  return sums
}

/** Makes these the times that later runs of the suite are shown beside. */
export function recordTimings(
  suite: Suite,
  steps: Timings['steps'],
  files: readonly FileResult[],
): void {
  const timings: Timings = {
    steps: rounded(Object.entries(steps)),
    files: rounded(files.map(({ file, seconds }) => [file, seconds])),
  }
  const recorded: Recorded = { ...readJson<Recorded>(RECORDED), [suite]: timings }
  writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`)
}

function rounded(entries: (readonly [string, number])[]): Record<string, number> {
  const sorted = entries.toSorted(([one], [other]) => one.localeCompare(other))
  return Object.fromEntries(sorted.map(([name, seconds]) => [name, Number(seconds.toFixed(1))]))
}

function readJson<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined
}
