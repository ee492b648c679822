import type { Page } from '@playwright/test'

const LONGEST_MS = 10

/** Opens pages with reduced motion; the answer names what moves all the same, in any document. */
export async function watchMotion(page: Page): Promise<() => Promise<string[]>> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moved: string[] = []
  await page.exposeFunction('noteMotion', (what: string) => moved.push(what))
  await page.addInitScript((longestMs) => {
    const { noteMotion } = window as unknown as { noteMotion: (what: string) => void }
    const noteAnimations = ({ target, type }: Event) => {
      for (const animation of document.getAnimations()) {
        const { endTime = 0 } = animation.effect?.getComputedTiming() ?? {}
        if (Number(endTime) <= longestMs) continue
        // The one cross-fade that stands for the opening.
        if (animation instanceof CSSAnimation && animation.animationName === 'reveal-ends') continue
        const name = target instanceof Element ? `${target.tagName}.${target.className}` : ''
        noteMotion(`${type} of ${endTime} ms, noticed at ${name}`)
      }
    }
    for (const type of ['animationstart', 'transitionrun'])
      document.addEventListener(type, noteAnimations, true)
  }, LONGEST_MS)
  return async () => {
    await page.evaluate(() => new Promise(requestAnimationFrame))
    return moved
  }
}
