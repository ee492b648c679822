import { parseArgs } from 'node:util'
import { type AtEnd, withCleanUp } from './clean-up.ts'

type Run = (megabytes: number, atEnd: AtEnd) => Promise<void>

/** Each prints its tables and asserts nothing: a time is a fact about a machine, not a test. */
const benchmarks: Record<string, () => Promise<{ run: Run }>> = {
  media: () => import('./media.ts'),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { megabytes: { type: 'string', default: '600' } },
})
const load = benchmarks[positionals[0] ?? '']
if (load) {
  const { run } = await load()
  await withCleanUp((atEnd) => run(Number(values.megabytes), atEnd))
} else {
  console.log(`Say which benchmark to run: ${Object.keys(benchmarks).join(', ')}.`)
}
