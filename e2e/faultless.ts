import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible, expectFitsEnlarged } from './accessibility.ts'
import { origin } from './people.ts'
import { captureScreen } from './screens.ts'

/** A press without a visible effect after this time was lost. */
export const RESPONSE_MS = 3_000

type Act = (page: Page) => Promise<unknown>

/** An address and the acts there; the page is inspected after each. */
export type State = [address: string, ...acts: Act[]]

/**
 * Looks at pages in all these states, at one by night and at the next by day, the other way about on a phone; in a large
 * window, at that one enlarged too.
 */
export async function expectFaultless(page: Page, states: State[]): Promise<void> {
  const { isMobile } = test.info().project.use
  for (const [index, [address, ...acts]] of states.entries()) {
    const colorScheme = index % 2 === (isMobile ? 1 : 0) ? 'dark' : 'light'
    // Without transitions, every colour is final.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await test.step(address, async () => {
      await page.goto(new URL(address, origin()).href)
      await expect(page.locator('main h1, main [role=status]').first()).toBeAttached()
      for (const act of acts.length > 0 ? acts : [none]) await expectFaultlessHere(page, act)
    })
  }
}

/** The same on the page that is open. */
export async function expectFaultlessHere(page: Page, act: Act): Promise<void> {
  await act(page)
  await captureScreen(page)
  if (test.info().project.use.isMobile) await uncovered(page, () => expectAccessible(page))
  else {
    await expectAccessible(page)
    await expectFitsEnlarged(page)
  }
}

/** As tall as the page: the bar at the bottom of a phone then lies over no button. */
async function uncovered(page: Page, inspect: () => Promise<void>): Promise<void> {
  const usual = page.viewportSize()
  if (!usual) throw new Error('This page has no size')
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ ...usual, height })
  await inspect()
  await page.setViewportSize(usual)
}

async function none(): Promise<void> {}

/** Several acts, inspected once all are done. */
export function all(...acts: Act[]): Act {
  return async (page) => {
    for (const act of acts) await act(page)
  }
}

export function press(name: string | RegExp, timeout?: number): Act {
  return async (page) => {
    const button = page.getByRole('main').getByRole('button', { name }).first()
    await expect(button).toBeEnabled()
    await button.click({ timeout })
  }
}

/** Presses a button of a dialog. */
export function pressInside(name: string | RegExp): Act {
  return (page) =>
    page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name }).click()
}

export function key(name: string): Act {
  return (page) => page.keyboard.press(name)
}

export function fill(fields: Record<string, string>): Act {
  return async (page) => {
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(text)
  }
}

export function see(text: string | RegExp): Act {
  return (page) => expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()
}

/** A press before the first screen is hydrated is lost. */
async function untilSeen(opened: Locator, act: () => Promise<unknown>): Promise<void> {
  await expect(async () => {
    if (!(await opened.isVisible())) await act()
    await expect(opened).toBeVisible({ timeout: RESPONSE_MS })
  }).toPass()
}

/** Repeats the acts until the locator is visible, on a page that is shown before it is hydrated. */
export function until(text: string | RegExp, ...acts: Act[]): Act {
  return (page) => untilSeen(page.getByText(text).first(), () => all(...acts)(page))
}

/** Presses, and waits for what that opens. */
export function open(name: string | RegExp, role: 'dialog' | 'alertdialog' = 'dialog'): Act {
  return (page) => untilSeen(page.getByRole(role), () => press(name, RESPONSE_MS)(page))
}

/** Opens a menu and chooses there. */
export function choose(menu: string | RegExp, item: string): Act {
  return async (page) => {
    const choice = page.getByRole('menuitem', { name: item })
    await untilSeen(choice, () => press(menu, RESPONSE_MS)(page))
    await choice.click()
  }
}

export async function openMenu(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 640, height: 900 })
  await untilSeen(page.getByRole('navigation', { name: 'Menu' }), () =>
    page.getByRole('button', { name: 'Ouvrir le menu' }).click({ timeout: RESPONSE_MS }),
  )
  if (size) await page.setViewportSize(size)
}
