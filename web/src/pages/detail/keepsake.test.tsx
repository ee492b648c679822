import { screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { createLetterLink } from '#contract/exports.ts'
import { getRevelation, type Revelation, recordView } from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, anOpenLetter, aUser } from '#web/test/samples.ts'

beforeAll(() => import('./detail-page.tsx'))

const KEY = 'n_orl3Ypvrc47VXXcm7Y'
const LINK = '/api/revelations/x/archive?token=un'

interface Options {
  me?: ReturnType<typeof aUser>
  key?: string
  refuses?: boolean
}

function open(shown: Revelation, { me, key, refuses = false }: Options = {}) {
  const keys: (string | null)[] = []
  const user = renderPage(`/revelation/${shown.id}${key ? `#cle=${key}` : ''}`, {
    ...(me && { user: me }),
    api: [
      answer(getRevelation, { revelation: shown }),
      answer(recordView, { views_count: 1 }),
      answer(createLetterLink, ({ headers }) => {
        keys.push(headers.get(DELIVERY_KEY_HEADER))
        return refuses ? refusal('too_many_requests') : { url: LINK }
      }),
    ],
  })
  return { user, keys }
}

describe('« Garder cette lettre »', () => {
  test('prints the page', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => {})
    const { user } = open(anOpenLetter())
    await user.click(await screen.findByRole('button', { name: 'Imprimer' }))
    expect(print).toHaveBeenCalledOnce()
  })

  test('has the browser download what the key of this tab opens, by an address without the key', async () => {
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const { user, keys } = open(anOpenLetter({ visibility: 'private' }), { key: KEY })
    await user.click(await screen.findByRole('button', { name: 'Télécharger tout' }))
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce())
    const link = clicked.mock.contexts[0] as HTMLAnchorElement
    expect(link.getAttribute('href')).toBe(LINK)
    expect(keys).toEqual([KEY])
  })

  test('says beside the button why a download is refused', async () => {
    const { user } = open(anOpenLetter(), { refuses: true })
    await user.click(await screen.findByRole('button', { name: 'Télécharger tout' }))
    expect(await screen.findByText(/^Trop de demandes/)).toBeTruthy()
  })

  test('is not offered before the instant', async () => {
    open(anEnvelope())
    await screen.findByRole('heading', { level: 1 })
    expect(screen.queryByRole('button', { name: 'Imprimer' })).toBeNull()
  })
})

describe('on paper', () => {
  test('an account that received the letter is named, not its address', async () => {
    const me = aUser({ pseudo: 'camille' })
    open(
      anOpenLetter({
        author_pseudo: 'alice',
        target_email: me.email,
        opening: { needed: false, opened_at: '2026-01-02T10:00:00.000Z', tells_author: true },
      }),
      { me },
    )
    expect(await screen.findByText('Pour @camille, de @alice')).toBeTruthy()
    expect(screen.getByText('Ouverte le').textContent).toContain('2 janvier 2026')
  })

  test('the name its author gave is printed, or the address its bearer was written to, and no masked one', async () => {
    const target_email = 'camille@exemple.fr'
    const letter = anOpenLetter({ author_pseudo: 'alice', target_email })
    const other = () => ({ ...letter, id: crypto.randomUUID() })
    open({ ...other(), recipients: [{ email: target_email, name: null }] })
    expect(await screen.findByText('Pour camille@exemple.fr, de @alice')).toBeTruthy()
    open({
      ...other(),
      target_name: 'Cam',
      recipients: [{ email: target_email, name: 'Cam' }],
    })
    expect(await screen.findByText('Pour Cam, de @alice')).toBeTruthy()
    open({ ...other(), target_email: 'c•••@e•••.fr' })
    expect(await screen.findByText('De @alice')).toBeTruthy()
  })

  test('paragraphs are blocks, and nothing of the text is lost', async () => {
    const content = 'Un.\n\nDeux,\nsur deux lignes.\n\n\nTrois.'
    open(anOpenLetter({ content }))
    const first = await screen.findByText('Un.')
    expect(first.parentElement?.textContent).toBe(content)
    expect(first.parentElement?.querySelectorAll('.letter-paragraph')).toHaveLength(3)
  })

  test.each([
    [{ file_type: 'audio', duration: 133 }, 'Message vocal, 2 min 13 s'],
    [{ file_type: 'document', file_name: 'acte.2024.pdf' }, 'Document joint : acte.2024.pdf'],
  ] as const)('what cannot be printed is named: %j', async (file, words) => {
    open(anOpenLetter({ ...file, file_url: '/api/secure-file/x?token=un' }))
    expect(await screen.findByText(words)).toBeTruthy()
  })
})
