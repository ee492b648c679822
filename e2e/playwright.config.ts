import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { storeTemporaryFilesInMemory } from '#testing/memory-folder.ts'
import { findChromium } from './chromium.ts'
import { LIMIT_MS } from './limits.ts'

storeTemporaryFilesInMemory()
const { executablePath, args, env } = await findChromium()
const RESULTS = path.resolve(import.meta.dirname, '../test-results')

/**
 * A journey runs in a large window, one tagged `@phone` or `@both` on a phone instead. E2E_WIDTHS=pages, as `script/test --all`
 * has it, runs `@both` in both, and looks at every page in both; E2E_WIDTHS=all runs everything in both.
 */
const widths = process.env.E2E_WIDTHS
const onPhones = widths === 'pages' ? /@phone|@both|every-page\.spec/ : /@phone|@both/
const onlyOnPhones = widths === 'pages' ? /@phone/ : /@phone|@both/

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '*.spec.ts',
  // A folder of its own: Playwright empties it when it begins.
  outputDir: path.join(RESULTS, 'e2e'),
  timeout: 5 * LIMIT_MS,
  expect: { timeout: LIMIT_MS, toPass: { timeout: LIMIT_MS } },
  // Some journeys mostly wait for their instant.
  workers: 3,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: [
    ['list'],
    ['json', { outputFile: path.join(RESULTS, 'timings/e2e.json') }],
    [path.join(import.meta.dirname, 'how-to-repeat.ts')],
  ],
  globalSetup: path.join(import.meta.dirname, 'start-product.ts'),
  use: {
    locale: 'fr-BE',
    timezoneId: 'Europe/Brussels',
    // Requests that a worker answers are not seen by a journey that watches them.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args, env },
  },
  projects: [
    {
      name: 'desktop',
      use: { viewport: { width: 1280, height: 900 } },
      ...(widths === 'all' ? {} : { grepInvert: onlyOnPhones }),
    },
    {
      name: 'phone',
      use: { viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true },
      ...(widths === 'all' ? {} : { grep: onPhones }),
    },
  ],
})
