import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { findChromium } from '@revelations/e2e/chromium.ts'
import type { AtEnd } from './clean-up.ts'

/** Chromium, until the end of the run. */
export async function launchBrowser(atEnd: AtEnd): Promise<Browser> {
  const { executablePath, args, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, args, env })
  atEnd(() => browser.close())
  return browser
}

/** A phone whose browser has a profile of its own, in this folder: by it the processes of the browser are known. */
export async function launchPhone(profile: string, atEnd: AtEnd): Promise<BrowserContext> {
  const { executablePath, args, env } = await findChromium()
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args,
    env,
    viewport: { width: 360, height: 800 },
    hasTouch: true,
    isMobile: true,
    locale: 'fr-BE',
    timezoneId: 'Europe/Brussels',
  })
  atEnd(() => context.close())
  return context
}
