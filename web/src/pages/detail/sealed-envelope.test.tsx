import { act, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http, type RequestHandler } from 'msw'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import { getCalendarFile, getReminder, removeReminder, setReminder } from '#contract/reminders.ts'
import { type Envelope, getRevelation, recordView } from '#contract/revelations.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, anOpenLetter, aUser } from '#web/test/samples.ts'

beforeAll(() => import('./detail-page.tsx'))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

interface Scene {
  revelation?: Partial<Envelope>
  me?: Parameters<typeof aUser>[0]
  isVisitor?: boolean
  hash?: string
  api?: RequestHandler[]
}

function open({ revelation = {}, me = {}, isVisitor = false, hash = '', api = [] }: Scene = {}) {
  const shown = anEnvelope(revelation)
  const user = renderPage(`/revelation/${shown.id}${hash}`, {
    ...(!isVisitor && { user: aUser(me) }),
    api: [
      ...api,
      answer(getRevelation, { revelation: shown }),
      answer(recordView, { views_count: 1 }),
    ],
  })
  return { user, id: shown.id }
}

describe('the wait', () => {
  test('is in days as people count them, then in digits', async () => {
    open({ revelation: { reveal_date: new Date(Date.now() + 12 * 86_400_000).toISOString() } })
    expect(await screen.findByText('dans 12 jours')).toBeTruthy()
    expect(screen.getByText(/^1[12]\sj\s\d\d\sh$/)).toBeTruthy()
  })

  test('says the last hour, the last minute and the last ten seconds, once each', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const instant = Date.now() + 65 * 60_000
    // The clock jumps to a second before; a page that ticks each second needs no hour of ticks.
    const waitUntilLeft = (ms: number) =>
      act(async () => {
        vi.setSystemTime(instant - ms - 1_000)
        await vi.advanceTimersByTimeAsync(1_000)
      })
    open({ revelation: { reveal_date: new Date(instant).toISOString() } })
    const said = () => screen.getByText(/^Plus qu’une|dix secondes$/).textContent
    expect(await screen.findByText(/min$/)).toBeTruthy()
    expect(screen.queryByText(/Plus qu’une/)).toBeNull()
    // From here on the clock goes by itself alone: a busy machine would bring the next sentence meanwhile.
    vi.setTimerTickMode('manual')
    await waitUntilLeft(3_500_000)
    expect(said()).toBe('Plus qu’une heure avant l’ouverture')
    await waitUntilLeft(30_000)
    expect(said()).toBe('Plus qu’une minute avant l’ouverture')
    await waitUntilLeft(9_000)
    expect(said()).toBe('La lettre s’ouvre dans dix secondes')
  })
})

async function toggle() {
  return screen.findByRole('button', { name: 'Me rappeler' })
}

describe('« Me rappeler »', () => {
  test('turns at once, is kept, and turns off again', async () => {
    const requests: string[] = []
    let arrive = () => {}
    const { user } = open({
      api: [
        answer(setReminder, async () => {
          requests.push('set')
          await new Promise<void>((resolve) => {
            arrive = resolve
          })
          return { reminded: true }
        }),
        answer(removeReminder, () => {
          requests.push('remove')
          return { reminded: false }
        }),
      ],
    })
    await waitFor(async () => expect((await toggle()).hasAttribute('disabled')).toBe(false))
    expect((await toggle()).getAttribute('aria-pressed')).toBe('false')
    await user.click(await toggle())
    await waitFor(async () => expect((await toggle()).getAttribute('aria-pressed')).toBe('true'))
    expect(screen.getByText(/la veille, puis quand elle s’ouvre/)).toBeTruthy()
    await waitFor(() => expect(requests).toEqual(['set']))
    arrive()
    await user.click(await toggle())
    await waitFor(() => expect(requests).toEqual(['set', 'remove']))
    expect((await toggle()).getAttribute('aria-pressed')).toBe('false')
  })

  test('turns back when the server refuses, and says why', async () => {
    const { user } = open({
      api: [
        answer(getReminder, { reminded: true }),
        answer(removeReminder, () => refusal('not_ready')),
      ],
    })
    await waitFor(async () => expect((await toggle()).getAttribute('aria-pressed')).toBe('true'))
    await user.click(await toggle())
    expect(await screen.findByText('Le service démarre. Réessayez dans un instant.')).toBeTruthy()
    expect((await toggle()).getAttribute('aria-pressed')).toBe('true')
  })

  test('promises the same to an address that is not verified: the mail leaves all the same', async () => {
    open({ me: { email_verified: false }, api: [answer(getReminder, { reminded: true })] })
    expect(await screen.findByText(/la veille, puis quand elle s’ouvre/)).toBeTruthy()
    expect(screen.queryByText(/adresse vérifiée/)).toBeNull()
  })

  test('is not promised to a visitor whose key alone opens the page', async () => {
    standInForMedia({ duration: 1 })
    open({
      isVisitor: true,
      revelation: { visibility: 'private' },
      hash: '#cle=n_orl3Ypvrc47VXXcm7Y',
    })
    await screen.findByRole('button', { name: 'Ajouter à mon calendrier' })
    expect(screen.queryByRole('link', { name: 'Me rappeler' })).toBeNull()
  })

  test('leads a visitor to sign in, and back here', async () => {
    const { user, id } = open({ isVisitor: true })
    await user.click(await screen.findByRole('link', { name: 'Me rappeler' }))
    await waitFor(() => expect(window.location.pathname).toBe('/login'))
    expect(window.history.state.usr.from.pathname).toBe(`/revelation/${id}`)
  })

  test('has nothing to do once the letter is open', async () => {
    const letter = anOpenLetter()
    renderPage(`/revelation/${letter.id}`, {
      api: [answer(getRevelation, { revelation: letter }), answer(recordView, { views_count: 1 })],
    })
    expect(await screen.findByText(letter.content)).toBeTruthy()
    expect(screen.queryByText(/Me rappeler|calendrier/)).toBeNull()
  })
})

describe('« Ajouter à mon calendrier »', () => {
  const address = `${window.location.origin}${getCalendarFile.url}`
  const name = 'Ajouter à mon calendrier'

  test('saves the event, asked with the key of the letter', async () => {
    standInForMedia({ duration: 1 })
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const keys: (string | null)[] = []
    const { user } = open({
      isVisitor: true,
      revelation: { visibility: 'private' },
      hash: '#cle=n_orl3Ypvrc47VXXcm7Y',
      api: [
        http.get(address, ({ request }) => {
          keys.push(request.headers.get(DELIVERY_KEY_HEADER))
          return HttpResponse.text('BEGIN:VCALENDAR', {
            headers: { 'content-type': 'text/calendar; charset=utf-8' },
          })
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name }))
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce())
    const link = clicked.mock.contexts[0] as HTMLAnchorElement
    expect(link.download).toBe('revelation.ics')
    expect(link.href).toMatch(/^blob:/)
    expect(keys).toEqual(['n_orl3Ypvrc47VXXcm7Y'])
  })

  test('that fails says so', async () => {
    const { user } = open({
      isVisitor: true,
      api: [answer(getCalendarFile, () => refusal('too_many_requests'))],
    })
    await user.click(await screen.findByRole('button', { name }))
    expect(await screen.findByText(/Trop de demandes/)).toBeTruthy()
  })
})
