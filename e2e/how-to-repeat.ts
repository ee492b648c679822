import path from 'node:path'
import type { Reporter, TestCase } from '@playwright/test/reporter'

/**
 * After a run with failures: the command that runs each file that failed alone, with a trace. Tracing all
 * of a run would cost a sixth of its time.
 */
// biome-ignore lint/style/noDefaultExport: Playwright requires one
export default class HowToRepeat implements Reporter {
  readonly #tests = new Set<TestCase>()

  onTestEnd(test: TestCase): void {
    this.#tests.add(test)
  }

  onEnd(): void {
    const failed = [...this.#tests].filter((test) => test.outcome() === 'unexpected')
    if (failed.length === 0) return
    const commands = new Set(failed.map(commandOf))
    console.log(`\nTo run again what failed:\n${[...commands].join('\n')}`)
  }
}

function commandOf({ location, parent }: TestCase): string {
  const { E2E_WIDTHS } = process.env
  const widths = E2E_WIDTHS ? `E2E_WIDTHS=${E2E_WIDTHS} ` : ''
  const file = path.basename(location.file, '.spec.ts')
  return `${widths}npm run e2e -- ${file} --project ${parent.project()?.name} --trace retain-on-failure`
}
