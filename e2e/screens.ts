import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type Page, test } from '@playwright/test'

const FOLDER = process.env.E2E_SCREENS

const counts = new Map<string, number>()

/**
 * With `E2E_SCREENS=<folder>`, writes the whole page as pictures of both themes, without what differs from run to run, so
 * that `node script/compare-screens.ts <before> <after>` finds what a change did to the pages.
 */
export async function captureScreen(page: Page): Promise<void> {
  if (!FOLDER) return
  const { title, project } = test.info()
  const number = (counts.get(title) ?? 0) + 1
  counts.set(title, number)
  const folder = path.join(FOLDER, project.name)
  await mkdir(folder, { recursive: true })
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const address = new URL(page.url()).pathname.split('/')[1] || 'home'
  const name = `${title.replaceAll(/\W+/g, '-')}-${String(number).padStart(2, '0')}-${address}`
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(neutralise)
    await page.screenshot({
      path: path.join(folder, `${name}-${colorScheme}.png`),
      fullPage: true,
      animations: 'disabled',
      style: 'video, canvas, img[src^="blob:"] { visibility: hidden !important }',
    })
    await page.evaluate(restore)
  }
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', reducedMotion: 'reduce' })
}

/** Runs in the page: digits and names of test people differ from run to run. */
function neutralise(): void {
  const replaced: [Text, string][] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const before = text.nodeValue ?? ''
    const after = before.replaceAll(/voyageur_[0-9a-f]*/g, 'voyageur_').replaceAll(/\d/g, '0')
    // The text of a field is its value; that of a script is what React is yet to read.
    if (after === before || text.parentElement?.closest('textarea, script')) continue
    replaced.push([text as Text, before])
    text.nodeValue = after
  }
  Object.assign(window, { neutralised: replaced })
}

/** Runs in the page. */
function restore(): void {
  const { neutralised } = window as unknown as { neutralised: [Text, string][] }
  for (const [text, before] of neutralised) text.nodeValue = before
}
