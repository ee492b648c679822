import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '@revelations/e2e/chromium.ts'
import type { AtEnd } from './clean-up.ts'

/** Chromium, until the end of the run. */
export async function launchBrowser(atEnd: AtEnd): Promise<Browser> {
  const { executablePath, args, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, args, env })
  atEnd(() => browser.close())
  return browser
}
