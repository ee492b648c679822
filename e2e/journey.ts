import { test as base } from '@playwright/test'

/** A journey, after which no browser of anybody goes on ticking beside the journeys that follow. */
export const test = base.extend<{ closeBrowsers: undefined }>({
  closeBrowsers: [
    async ({ browser }, use) => {
      await use(undefined)
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
})
