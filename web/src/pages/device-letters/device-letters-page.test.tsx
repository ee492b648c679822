import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logout, register } from '#contract/auth.ts'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { listReceived } from '#contract/received.ts'
import { getRevelation, listRevelations, type Revelation } from '#contract/revelations.ts'
import { hasDeliveryKey, persistDeliveryKey, storeDeliveryKey } from '#web/lib/delivery-key.ts'
import { openedHere, replyDeferredHere } from '#web/lib/reader-marks.ts'
import { storedReplyDraft } from '#web/lib/reply-drafts.ts'
import { findReplyVoice, storeReplyVoice } from '#web/lib/reply-voice-store.ts'
import { REPLY_VOICES_DATABASE } from '#web/lib/reply-voices-database.ts'
import { standInForDatabases, storeBlobsWhole } from '#web/test/disk-stand-ins.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, anOpenLetter, aPage, aReceivedPage, aUser, inDays } from '#web/test/samples.ts'

standInForDatabases()
beforeAll(() => import('./device-letters-page.tsx'))
beforeEach(storeBlobsWhole)
afterEach(async () => {
  cleanup()
  await new Promise((resolve) => {
    const deleting = indexedDB.deleteDatabase(REPLY_VOICES_DATABASE)
    deleting.onsuccess = resolve
    deleting.onblocked = resolve
  })
})

const SECRET = 'La clé est sous le pot de géraniums.'
const keyOf = (id: string) => `cle-de-${id}-1234567890`

/** A device in another tab, from a bookmark, days later. */
function storeKeys(ids: string[]) {
  for (const id of ids) {
    storeDeliveryKey(id, keyOf(id))
    persistDeliveryKey(id)
  }
  sessionStorage.clear()
}

type Answer = Revelation | ReturnType<typeof refusal>

function open(letters: Record<string, Answer>, options: { user?: ReturnType<typeof aUser> } = {}) {
  storeKeys(Object.keys(letters))
  return renderPage('/mes-lettres', {
    ...options,
    api: [
      answer(getRevelation, ({ params: { id = '' }, headers }) => {
        const letter = letters[id]
        if (!letter || headers.get(DELIVERY_KEY_HEADER) !== keyOf(id)) return refusal('not_found')
        return 'title' in letter ? { revelation: letter } : letter
      }),
      answer(listRevelations, aPage([])),
      answer(logout, { success: true as const }),
    ],
  })
}

const opened = { needed: false, opened_at: inDays(-2), tells_author: true }
const openLetter = (id: string, title: string) =>
  anOpenLetter({ id, title, content: SECRET, visibility: 'private', opening: opened })

describe('the letters of this device', () => {
  test('are shown without an account as they are, and no words of theirs', async () => {
    openedHere.add('lue')
    open({
      lue: openLetter('lue', 'La clé du jardin'),
      neuve: openLetter('neuve', 'Le phare'),
      scellee: anEnvelope({ id: 'scellee', title: 'Pour tes vingt ans' }),
      retiree: refusal('link_revoked'),
      effacee: refusal('not_found'),
    })
    const cardOf = async (title: string) =>
      (await screen.findByRole('heading', { name: title })).closest('article')
    expect((await cardOf('La clé du jardin'))?.textContent).toContain('Ouverte le')
    expect(screen.getByRole('link', { name: 'La clé du jardin' }).getAttribute('href')).toBe(
      '/revelation/lue',
    )
    expect((await cardOf('Le phare'))?.textContent).toContain('Elle vous attend')
    expect((await cardOf('Pour tes vingt ans'))?.textContent).toMatch(/3\s*j\s*04\s*h/)
    await waitFor(() =>
      expect(screen.getAllByText('Cette lettre ne s’ouvre plus ici')).toHaveLength(2),
    )
    expect(document.body.textContent).not.toContain(SECRET)
  })

  test('are forgotten one by one, after a question, or all together', async () => {
    replyDeferredHere.add('a')
    const user = open({
      a: openLetter('a', 'Un'),
      b: openLetter('b', 'Deux'),
      c: openLetter('c', 'Trois'),
    })
    await user.click(await screen.findByRole('button', { name: /^Oublier.*Un/ }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Annuler' }))
    expect(hasDeliveryKey('a')).toBe(true)
    await user.click(screen.getByRole('button', { name: /^Oublier.*Un/ }))
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Oublier' }),
    )
    await waitFor(() => expect(screen.queryByText('Un')).toBeNull())
    expect(hasDeliveryKey('a')).toBe(false)
    expect(replyDeferredHere.has('a')).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Tout oublier sur cet appareil' }))
    await user.click(await screen.findByRole('button', { name: 'Tout oublier' }))
    expect(await screen.findByText('Aucune lettre sur cet appareil')).toBeTruthy()
    expect(JSON.stringify(localStorage)).not.toContain('delivery')
    expect(screen.queryByRole('link', { name: 'Mes lettres sur cet appareil' })).toBeNull()
    await waitFor(() => expect(document.activeElement?.localName).toBe('main'))
  })

  test('take the replies that were begun along when they are forgotten', async () => {
    const ids = ['a', 'b', 'c']
    const begin = async (id: string) => {
      storedReplyDraft(id).write({ id, content: `Un mot pour ${id}` })
      await storeReplyVoice(id, { file: new File(['une voix'], 'reponse'), durationSeconds: 2 })
    }
    const user = open(Object.fromEntries(ids.map((id) => [id, openLetter(id, `Lettre ${id}`)])))
    await Promise.all(ids.map(begin))
    const left = async () => {
      const voices = await Promise.all(ids.map(findReplyVoice))
      return ids.map((id, index) => [
        storedReplyDraft(id).read()?.content,
        voices[index] !== undefined,
      ])
    }
    await user.click(await screen.findByRole('button', { name: /^Oublier.*Lettre a/ }))
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Oublier' }),
    )
    await waitFor(async () =>
      expect(await left()).toEqual([
        [undefined, false],
        ['Un mot pour b', true],
        ['Un mot pour c', true],
      ]),
    )
    await user.click(screen.getByRole('button', { name: 'Tout oublier sur cet appareil' }))
    await user.click(await screen.findByRole('button', { name: 'Tout oublier' }))
    await waitFor(async () => expect(await left()).toEqual(ids.map(() => [undefined, false])))
  })

  test('follow what another tab keeps or forgets', async () => {
    open({ a: openLetter('a', 'Un') })
    expect(await screen.findByRole('heading', { name: 'Un' })).toBeTruthy()
    localStorage.clear()
    act(() => void window.dispatchEvent(new StorageEvent('storage')))
    expect(await screen.findByText('Aucune lettre sur cet appareil')).toBeTruthy()
  })

  test('are offered to the account that one makes here', async () => {
    const user = open({ a: openLetter('a', 'Un'), b: openLetter('b', 'Deux') })
    await user.click(await screen.findByRole('link', { name: 'Créer un compte' }))
    const me = aUser({ email_verified: false })
    fakeServer.use(
      answer(register, { token: 'jeton', user: me }),
      answer(listReceived, aReceivedPage([])),
    )
    await user.type(await screen.findByLabelText('Pseudo'), 'camille')
    await user.type(screen.getByLabelText('E-mail'), me.email)
    await user.type(screen.getByLabelText('Mot de passe'), 'un long mot de passe')
    await user.type(screen.getByLabelText('Confirmer le mot de passe'), 'un long mot de passe')
    for (const box of screen.queryAllByRole('checkbox')) await user.click(box)
    await user.click(screen.getByRole('button', { name: 'Créer mon compte' }))
    expect(
      await screen.findByRole('button', { name: 'Joindre 2\u00A0lettres à mon compte' }),
    ).toBeTruthy()
  })

  test('go with whoever signs out, and what was said of them', async () => {
    openedHere.add('a')
    replyDeferredHere.add('a')
    const user = open({ a: openLetter('a', 'Un') }, { user: aUser() })
    expect(await screen.findByRole('heading', { name: 'Un' })).toBeTruthy()
    await user.click(screen.getAllByRole('button', { name: /Déconnexion/ })[0] as HTMLElement)
    await waitFor(() => expect(hasDeliveryKey('a')).toBe(false))
    await waitFor(() => expect(openedHere.has('a') || replyDeferredHere.has('a')).toBe(false))
    expect(JSON.stringify(localStorage)).not.toContain('letters')
  })
})
