import { expect, type Page } from '@playwright/test'

/** A first visit, to its end: the service worker has stored the site and answers for it. */
export async function installSite(page: Page, address: string): Promise<void> {
  await page.goto(address)
  const isControlled = await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    return navigator.serviceWorker.controller !== null
  })
  // A worker that takes over while a page is on its way leaves that page out: the next one is its own.
  if (!isControlled) await page.reload()
  // The session is known once the page is shown.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Hands a picture over as the share sheet of a phone does: a form that the browser posts. */
export async function shareAs(
  page: Page,
  shared: { title: string; text: string; fileName: string },
): Promise<void> {
  await page.evaluate(async ({ title, text, fileName }) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 8 })
    canvas.getContext('2d')?.fillRect(0, 0, 8, 8)
    const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
    const chosen = new DataTransfer()
    chosen.items.add(new File([picture ?? ''], fileName, { type: 'image/png' }))
    const form = document.createElement('form')
    Object.assign(form, { action: '/partager', method: 'post', enctype: 'multipart/form-data' })
    for (const [name, value] of Object.entries({ title, text, url: '' })) {
      form.append(Object.assign(document.createElement('input'), { name, value }))
    }
    const file = Object.assign(document.createElement('input'), { name: 'file', type: 'file' })
    file.files = chosen.files
    form.append(file)
    document.body.append(form)
    form.submit()
  }, shared)
}
