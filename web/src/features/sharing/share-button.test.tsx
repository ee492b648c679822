import { act, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { anEnvelope } from '#web/test/samples.ts'
import { ShareButton } from './share-button.tsx'

const revelation = anEnvelope({ id: 'abc', title: 'La finale' })
const link = `${window.location.origin}/revelation/abc`
const COPIED = /Lien copié dans le presse-papiers !/

async function openSheet() {
  // It stands in for the clipboard, and copies into a string.
  const user = userEvent.setup({ delay: null })
  render(<ShareButton revelation={revelation} />)
  await user.click(screen.getByRole('button', { name: 'Partager La finale' }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Partager' }))
  return { user, sheet }
}

afterEach(() => Reflect.deleteProperty(navigator, 'share'))

describe('the share sheet', () => {
  test('copies the link, and says so for two seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user, sheet } = await openSheet()
    expect(sheet.getByLabelText<HTMLInputElement>('Lien à partager').value).toBe(link)
    await user.click(sheet.getByRole('button', { name: 'Copier le lien' }))
    expect(await sheet.findByText(COPIED)).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe(link)
    act(() => void vi.advanceTimersByTime(2000))
    await waitFor(() => expect(sheet.queryByText(COPIED)).toBeNull())
  })

  test.each(['Discord', 'Instagram', 'Snapchat'])('copies text and link for %s', async (name) => {
    const { user, sheet } = await openSheet()
    await user.click(sheet.getByRole('button', { name }))
    expect((await sheet.findByText(COPIED)).textContent).toContain(`Collez-le dans ${name}.`)
    const copied = await navigator.clipboard.readText()
    expect(copied).toContain('La finale')
    expect(copied).toContain(link)
  })

  test.each(['Facebook', 'X', 'WhatsApp'])('leads to %s in another tab', async (name) => {
    const { sheet } = await openSheet()
    const anchor = sheet.getByRole('link', { name })
    expect(anchor.getAttribute('target')).toBe('_blank')
    expect(anchor.getAttribute('rel')).toBe('noopener noreferrer')
    expect(anchor.getAttribute('href')).toContain(encodeURIComponent(link))
  })

  test('leads to the mail program and to the messages of the phone', async () => {
    const { sheet } = await openSheet()
    const to = (name: string) => sheet.getByRole('link', { name }).getAttribute('href')
    expect(to('E-mail')).toMatch(/^mailto:\?subject=.+&body=.+/)
    expect(to('SMS')).toContain(encodeURIComponent(link))
  })

  test('shows the link as a code, and saves it as a picture', async () => {
    const canvas = HTMLCanvasElement.prototype
    const pen = { scale: vi.fn(), fillRect: vi.fn() }
    vi.spyOn(canvas, 'getContext').mockReturnValue(pen as never)
    vi.spyOn(canvas, 'toBlob').mockImplementation((call, type) => call(new Blob(['x'], { type })))
    const saved: string[] = []
    URL.createObjectURL = () => 'blob:code'
    URL.revokeObjectURL = () => {}
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(`${this.download} ${this.href}`)
    })
    const { user, sheet } = await openSheet()
    const button = sheet.getByRole('button', { name: 'Afficher le code QR' })
    await user.click(button)
    expect(sheet.getByRole('img', { name: /^Code à photographier/ })).toBeTruthy()
    await user.click(sheet.getByRole('button', { name: 'Enregistrer l’image' }))
    await waitFor(() => expect(saved).toEqual(['revelation.png blob:code']))
    expect(pen.fillRect.mock.calls.length).toBeGreaterThan(200)
  })

  test('shows the words selected where copying is not allowed', async () => {
    const { user, sheet } = await openSheet()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no'))
    await user.click(sheet.getByRole('button', { name: 'Copier le lien' }))
    const field = await sheet.findByLabelText<HTMLTextAreaElement>('Texte à copier')
    expect(document.activeElement).toBe(field)
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe(link)
    expect(sheet.queryByText(COPIED)).toBeNull()
  })

  test('offers the device’s own sheet where there is one', async () => {
    const share = vi.fn(async () => undefined)
    Object.defineProperty(navigator, 'share', { value: share, configurable: true })
    const { user, sheet } = await openSheet()
    await user.click(sheet.getByRole('button', { name: 'Autre application' }))
    expect(share).toHaveBeenCalledWith({
      title: expect.any(String),
      text: expect.any(String),
      url: link,
    })
  })

  test('closes with Escape, and gives the focus back', async () => {
    const { user } = await openSheet()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Partager La finale'),
    )
  })
})
