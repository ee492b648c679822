import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { findChromium } from './chromium.ts'

const { executablePath, args, env } = await findChromium()

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '*.spec.ts',
  outputDir: path.resolve(import.meta.dirname, '../test-results'),
  // Limits for what hangs: a starved machine does slowly, and still rightly, what it is asked.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  // Some journeys mostly wait for their instant.
  workers: 3,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  globalSetup: path.join(import.meta.dirname, 'start-product.ts'),
  use: {
    locale: 'fr-BE',
    timezoneId: 'Europe/Brussels',
    // Requests that a worker answers are not seen by a journey that watches them.
    serviceWorkers: 'block',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args, env },
  },
  projects: [
    {
      name: 'phone',
      use: { viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true },
    },
    { name: 'desktop', use: { viewport: { width: 1280, height: 900 } } },
  ],
})
