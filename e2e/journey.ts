import { type BrowserContext, test as base, expect } from '@playwright/test'

/** What Chromium writes when the policy of the pages refuses something. */
const REFUSED = /Content Security Policy|Trusted(?:HTML|Script| Type)|integrity/

interface Fixtures {
  closeBrowsers: undefined
  expectNothingRefused: undefined
  patientPages: undefined
}

/** Pages give up a call after seconds; on a starved machine every call may take them, and nothing is wrong. */
export async function makePatient(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = (ms) => timeout(12 * ms)
  })
}

export const test = base.extend<Fixtures>({
  /** Chromium itself crashes now and then as it starts, before anything of the product has run: it is started once more. */
  browser: [
    async ({ playwright }, use) => {
      const launch = () => playwright.chromium.launch()
      const browser = await launch().catch(launch)
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  /** After a journey no browser of anybody goes on ticking beside the journeys that follow. */
  closeBrowsers: [
    async ({ browser }, use) => {
      await use(undefined)
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
  patientPages: [
    async ({ context }, use) => {
      await makePatient(context)
      await use(undefined)
    },
    { auto: true },
  ],
  /** The pages do nothing that their own policy forbids. */
  expectNothingRefused: [
    async ({ context }, use) => {
      const refused: string[] = []
      context.on('console', (message) => {
        if (REFUSED.test(message.text())) refused.push(message.text())
      })
      await use(undefined)
      expect(refused).toEqual([])
    },
    { auto: true },
  ],
})
