import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Delivery } from '#contract/deliveries.ts'
import { type Envelope, getRevelation, type Revelation } from '#contract/revelations.ts'
import { SessionProvider } from '#web/features/auth/session.tsx'
import { createQueryClient } from '#web/lib/query-client.ts'
import { answer, fakeServer } from '#web/test/fake-api.ts'
import { aDelivery, anEnvelope, anOpenLetter, anOwnRevelation } from '#web/test/samples.ts'
import { RevelationCard } from './revelation-card.tsx'
import { revelationQuery } from './revelations.queries.ts'

/** The card of a revelation as the cache knows it, as on a page. */
function LiveCard({ revelation }: { revelation: Revelation }) {
  const { data } = useQuery({
    ...revelationQuery(revelation.id),
    initialData: revelation,
    enabled: false,
  })
  return <RevelationCard revelation={data} />
}

function renderCard(revelation: Revelation) {
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <MemoryRouter>
          <LiveCard revelation={revelation} />
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>,
  )
}

function named(...names: (string | null)[]): Delivery[] {
  return names.map((name, index) => {
    return aDelivery({ id: `delivery-${index}`, name, address: `personne${index}@exemple.be` })
  })
}

/** As the first of these people receives it; the addresses of the others are masked. */
function received(
  me: { name: string | null },
  ...others: { name: string | null }[]
): Pick<Envelope, 'target_email' | 'target_name' | 'recipients'> {
  const email = 'moi@exemple.be'
  return {
    target_email: email,
    target_name: me.name,
    recipients: [{ email, ...me }, ...others.map((one) => ({ email: 'p•••@e•••.be', ...one }))],
  }
}

const teaser = {
  file_type: 'video',
  teaser_start: 4,
  teaser_end: 14,
  teaser_url: '/api/secure-file/teasers/teaser_a.mp4?token=t',
} as const

describe('a card', () => {
  test('of a sealed video shows its teaser, with its length', async () => {
    renderCard(anEnvelope({ ...teaser, thumbnail_teaser: '/api/thumbnail/a?token=t' }))
    expect(screen.getByText('Aperçu · 0:10')).toBeTruthy()
    screen.getByRole('button', { name: /Lire l’aperçu/ }).click()
    const video = await screen.findByLabelText(/^Aperçu/)
    expect(video.getAttribute('src')).toBe(teaser.teaser_url)
  })

  test('of a video without its picture yet says that it is being made', () => {
    renderCard(anEnvelope({ ...teaser, teaser_url: null }))
    expect(screen.getByText('Création en cours...')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Lire/ })).toBeNull()
  })

  test('that waits for its reader stays sealed, with nothing of the letter', () => {
    const opening = { needed: true, opened_at: null, tells_author: false }
    const letter = anOpenLetter({ visibility: 'friends', opening })
    renderCard(letter)
    expect(screen.getByText('Elle vous attend')).toBeTruthy()
    expect(screen.queryByText(letter.content)).toBeNull()
    expect(screen.queryByText('Dévoilée')).toBeNull()
  })

  test('of an open video says that it is whole', () => {
    renderCard(
      anOpenLetter({
        file_type: 'video',
        file_url: '/api/secure-file/videos/a.mp4?token=t',
        thumbnail_complete: '/api/thumbnail/b?token=t',
        duration: 84,
      }),
    )
    expect(screen.getByText('Complète · 1:24')).toBeTruthy()
  })

  test('of a sealed file without teaser only says what kind it is', () => {
    renderCard(anEnvelope({ file_type: 'audio' }))
    expect(screen.getByText('Un enregistrement à l’intérieur')).toBeTruthy()
  })

  test('shows the author nothing of the own sealed letter', () => {
    renderCard(anOwnRevelation({ content: 'Elle s’appellera Rose.' }))
    expect(screen.queryByText('Elle s’appellera Rose.')).toBeNull()
    expect(screen.getByText('pour maman@exemple.be')).toBeTruthy()
  })

  test.each([
    ['their author', anOwnRevelation({ deliveries: named('Léa', 'Papa') }), 'Léa et Papa'],
    [
      'the author of one for many',
      anOwnRevelation({ deliveries: named('Léa', 'Papa', null, 'Tom', 'Zoé') }),
      'Léa, Papa et 3 autres',
    ],
    ['a recipient', anEnvelope(received({ name: 'Léa' })), 'vous'],
    [
      'a recipient who may know of the others',
      anEnvelope(received({ name: 'Léa' }, { name: 'Papa' }, { name: null }, { name: null })),
      'vous, avec Papa et 2 autres',
    ],
    [
      'a recipient among people without a name',
      anEnvelope(received({ name: null }, { name: null })),
      'vous, avec quelqu’un d’autre',
    ],
    ['everybody else', anEnvelope(), 'quelqu’un'],
  ] as const)('says to %s for whom it is, and never a masked address', (_, revelation, words) => {
    renderCard(revelation)
    expect(screen.getByText(`pour ${words}`)).toBeTruthy()
    expect(document.body.textContent).not.toContain('•••')
  })

  test('reads its date to screen readers, and not the digits that tick', () => {
    renderCard(anEnvelope({ reveal_date: '2126-12-31T23:00:00.000Z' }))
    const words = screen.getByText(
      'S’ouvre le mercredi 1 janvier 2127 à 00:00 (heure de Bruxelles)',
    )
    const digits = words.nextElementSibling
    expect(digits?.getAttribute('aria-live')).toBe('off')
    expect(digits?.getAttribute('aria-hidden')).toBe('true')
  })
})

describe('at its instant', () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T12:00:00.000Z') })
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
  })
  afterEach(() => vi.useRealTimers())

  test('turns on the open page, as soon as the server opens it', async () => {
    const sealed = anEnvelope({ reveal_date: '2026-11-20T12:00:05.000Z' })
    let requestCount = 0
    fakeServer.use(
      answer(getRevelation, () => {
        requestCount += 1
        if (requestCount === 1) return { revelation: sealed }
        return {
          revelation: anOpenLetter({ ...sealed, is_revealed: true, content: 'Enfin, les mots.' }),
        }
      }),
    )
    renderCard(sealed)
    expect(screen.getByText('5 s')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(4900))
    expect(requestCount).toBe(0)
    await act(() => vi.advanceTimersByTimeAsync(100))
    expect(screen.getByText('Révélé !')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(250))
    await waitFor(() => expect(requestCount).toBe(1))
    expect(screen.queryByText('Enfin, les mots.')).toBeNull()
    expect(await screen.findByText('Enfin, les mots.')).toBeTruthy()
    expect(requestCount).toBe(2)
  })

  test('turns with the pages of everybody else, however soon it is answered', async () => {
    const sealed = anEnvelope({ reveal_date: '2026-11-20T12:00:05.000Z' })
    let isAnswered = false
    fakeServer.use(
      answer(getRevelation, () => {
        isAnswered = true
        return {
          revelation: anOpenLetter({ ...sealed, is_revealed: true, content: 'Enfin, les mots.' }),
        }
      }),
    )
    renderCard(sealed)
    screen.getByRole('link').focus()
    await act(() => vi.advanceTimersByTimeAsync(5300))
    await waitFor(() => expect(isAnswered).toBe(true))
    expect(screen.queryByText('Enfin, les mots.')).toBeNull()
    expect(await screen.findByText('Enfin, les mots.')).toBeTruthy()
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(sealed.reveal_date) + 700)
    expect(document.activeElement).toBe(screen.getByRole('link'))
  })
})
