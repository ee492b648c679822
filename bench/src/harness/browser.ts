import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
} from '@playwright/test'
import { findChromium } from '@revelations/e2e/chromium.ts'
import type { AtEnd } from './clean-up.ts'
import { CPU_SLOWDOWN } from './frames.ts'

/** What Lighthouse calls slow 4G. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
}

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

/** Gives a page the network and the processor of a phone of a few years ago, through a session that hears of its requests. */
export async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return session
}

/** Somebody who saw the demo, where the home page would lead otherwise; with a token they are signed in. */
export async function cameBefore(context: BrowserContext, token?: string): Promise<void> {
  await context.addInitScript((session) => {
    localStorage.setItem('demo-store', '{"state":{"hasVisited":true},"version":0}')
    if (session) localStorage.setItem('auth_token', session)
  }, token)
}
