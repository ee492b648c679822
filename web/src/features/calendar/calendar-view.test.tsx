import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { RequestHandler } from 'msw'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyToken } from '#contract/auth.ts'
import {
  type CalendarEvent,
  createCalendarEvent,
  createCalendarFeed,
  deleteCalendarEvent,
  getCalendarFeed,
  importCalendarEvents,
  listCalendarEvents,
  revokeCalendarFeed,
} from '#contract/calendar.ts'
import { type CircleReveal, listCircleReveals } from '#contract/circle.ts'
import { SessionProvider, useSession } from '#web/features/auth/session.tsx'
import { createQueryClient } from '#web/lib/query-client.ts'
import { saveToken } from '#web/lib/session-token.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { aUser } from '#web/test/samples.ts'
import { Toasts } from '#web/ui/toasts.tsx'
import { CalendarView } from './calendar-view.tsx'
import { findLegacyEvents } from './legacy-events.ts'
import { useLegacyEventsOwner } from './legacy-events-owner.ts'

const EVENT_ID = 'e0e0e0e0-0000-4000-8000-000000000001'
const OLD_KEY = 'familyCalendarEvents'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') })
})
afterEach(() => vi.useRealTimers())

function anEvent(overrides: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    id: EVENT_ID,
    title: 'Anniversaire de Mamie',
    date: '1956-11-27',
    type: 'birthday',
    description: 'Des pivoines.',
    ...overrides,
  }
}

function aReveal(overrides: Partial<CircleReveal> = {}): CircleReveal {
  return {
    kind: 'revelation',
    id: 'revelation-1',
    title: 'Pour tes dix-huit ans',
    author_id: 'user-noemie',
    author_pseudo: 'noemie',
    reveal_date: '2026-11-27T17:30:00.000Z',
    time_zone: 'Europe/Brussels',
    is_revealed: false,
    ...overrides,
  }
}

interface Calendar {
  events?: CalendarEvent[]
  reveals?: CircleReveal[]
  api?: RequestHandler[]
}

/** The calendar of somebody, before a server that remembers its events. */
function openCalendar({ events = [], reveals = [], api = [] }: Calendar = {}) {
  const state = { events, url: null as string | null, requests: [] as Record<string, string>[] }
  saveToken('token-of-this-session')
  fakeServer.use(
    ...api,
    answer(verifyToken, { user: aUser() }),
    answer(listCalendarEvents, () => ({ events: state.events, imported: false })),
    answer(listCircleReveals, ({ query }) => {
      state.requests.push(query)
      const { from = '', to = '' } = query
      const within = reveals.filter(({ reveal_date }) => {
        const day = reveal_date.slice(0, 10)
        return day >= from && day <= to
      })
      return { reveals: within, upcoming: reveals.filter((each) => !each.is_revealed).length }
    }),
    answer(deleteCalendarEvent, ({ params }) => {
      state.events = state.events.filter(({ id }) => id !== params.id)
      return { success: true as const }
    }),
    answer(getCalendarFeed, () => ({ url: state.url, ended_at: null })),
    answer(createCalendarFeed, () => {
      state.url = `https://exemple.be/api/calendar-feed/${state.url ? 'second' : 'first'}.ics`
      return { url: state.url }
    }),
    answer(revokeCalendarFeed, () => {
      state.url = null
      return { success: true as const }
    }),
  )
  const client = createQueryClient()
  client.setQueryDefaults(['calendar'], { retry: false })
  render(
    <QueryClientProvider client={client}>
      <SessionProvider>
        <MemoryRouter>
          <SignedIn />
          <Toasts />
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>,
  )
  return { user: userEvent.setup({ delay: null }), state }
}

function SignedIn() {
  const { user } = useSession()
  useLegacyEventsOwner()
  return user && <CalendarView />
}

const day = (name: RegExp) => within(screen.getByRole('grid')).getByRole('button', { name })
const findDay = async (name: RegExp) =>
  within(await screen.findByRole('grid')).findByRole('button', { name })

async function allIsThere() {
  const month = await screen.findByRole('region', { name: 'Calendrier du cercle' })
  await waitFor(() => expect(month.getAttribute('aria-busy')).toBe('false'))
}

describe('the month', () => {
  test('shows the first reveal that waits, however much a day holds', async () => {
    const events = ['Un', 'Deux', 'Trois', 'Quatre'].map((title) => anEvent({ id: title, title }))
    openCalendar({ events, reveals: [aReveal()] })
    const cell = await findDay(/, 5.événements$/)
    expect(within(cell).getByText(aReveal().title)).toBeTruthy()
    expect(within(cell).getByText('+3')).toBeTruthy()
  })

  test('begins on Monday, and says which day is today and what the days hold', async () => {
    openCalendar({ events: [anEvent()], reveals: [aReveal()] })
    const grid = await screen.findByRole('grid', { name: 'novembre 2026' })
    const heads = within(grid).getAllByRole('columnheader')
    expect(heads.map((head) => head.getAttribute('aria-label'))[0]).toBe('lundi')
    const rows = within(grid).getAllByRole('row').slice(1)
    expect(rows.map((row) => within(row).getAllByRole('gridcell').length)).toEqual(Array(6).fill(7))
    expect(day(/^lundi 26 octobre 2026/)).toBe(within(grid).getAllByRole('button')[0])
    expect(day(/dimanche 22 novembre 2026, aujourd’hui/).getAttribute('aria-current')).toBe('date')
    expect(await findDay(/^vendredi 27 novembre 2026, 2.événements$/)).toBeTruthy()
  })

  test('is asked for with its neighbours, in the zone of this person', async () => {
    const { state } = openCalendar()
    await allIsThere()
    const months = state.requests.map(({ from }) => from)
    expect(months).toEqual(expect.arrayContaining(['2026-10-01', '2026-11-01', '2026-12-01']))
    expect(new Set(state.requests.map(({ time_zone }) => time_zone)).size).toBe(1)
  })

  test('turns to the next, the former, today’s, and to any month and year', async () => {
    const { user } = openCalendar()
    await screen.findByRole('grid', { name: 'novembre 2026' })
    await user.click(screen.getByRole('button', { name: 'Mois suivant' }))
    await user.click(screen.getByRole('button', { name: 'Mois suivant' }))
    expect(await screen.findByRole('grid', { name: 'janvier 2027' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Mois précédent' }))
    expect(await screen.findByRole('grid', { name: 'décembre 2026' })).toBeTruthy()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Année' }), '2028')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Mois' }), 'février')
    expect(await screen.findByRole('grid', { name: 'février 2028' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Aujourd’hui' }))
    expect(await screen.findByRole('grid', { name: 'novembre 2026' })).toBeTruthy()
  })

  test('is walked with the keyboard, one day at a time in the way of the tabulator', async () => {
    const { user } = openCalendar({ events: [anEvent()] })
    await findDay(/27 novembre 2026, 1.événement/)
    const stops = within(screen.getByRole('grid'))
      .getAllByRole('button')
      .filter(({ tabIndex }) => tabIndex === 0)
    expect(stops).toEqual([day(/22 novembre/)])
    day(/22 novembre/).focus()
    await user.keyboard('{ArrowDown}{ArrowLeft}{Home}{End}')
    expect(document.activeElement).toBe(day(/dimanche 29 novembre/))
    await user.keyboard('{PageDown}')
    await screen.findByRole('grid', { name: 'décembre 2026' })
    expect(document.activeElement).toBe(day(/mardi 29 décembre 2026/))
    await user.keyboard('{Shift>}{PageUp}{/Shift}')
    await screen.findByRole('grid', { name: 'décembre 2025' })
    expect(document.activeElement).toBe(day(/lundi 29 décembre 2025/))
    await user.keyboard('{ArrowDown}')
    await screen.findByRole('grid', { name: 'janvier 2026' })
    expect(document.activeElement).toBe(day(/lundi 5 janvier 2026/))
  })

  test('says what could not be loaded, and asks again', async () => {
    let isDown = true
    const { user } = openCalendar({
      api: [
        answer(listCircleReveals, () =>
          isDown ? refusal('unexpected') : { reveals: [aReveal()], upcoming: 1 },
        ),
      ],
    })
    const month = within(await screen.findByRole('region', { name: 'Calendrier du cercle' }))
    const again = await month.findByRole('button', { name: 'Réessayer' })
    isDown = false
    await user.click(again)
    expect(await findDay(/27 novembre 2026, /)).toBeTruthy()
    await waitFor(() => expect(month.queryByRole('alert')).toBeNull())
  })
})

describe('a day', () => {
  test('opens what it holds, with the hours and the ways to read and hear', async () => {
    const { user } = openCalendar({
      events: [anEvent()],
      reveals: [
        aReveal(),
        aReveal({
          kind: 'sound',
          id: 's1',
          title: 'La recette',
          reveal_date: '2026-11-27T08:00:00.000Z',
        }),
      ],
    })
    await user.click(await findDay(/27 novembre 2026, 3.événements/))
    const dialog = within(await screen.findByRole('dialog', { name: 'Vendredi 27 novembre 2026' }))
    expect(dialog.getByText('Anniversaire, chaque année')).toBeTruthy()
    expect(dialog.getByText('Des pivoines.')).toBeTruthy()
    const [sound, letter] = dialog.getAllByRole('link')
    expect(sound?.getAttribute('href')).toBe('/family-sound')
    expect(sound?.textContent).toContain('s’ouvre à 09:00')
    expect(letter?.getAttribute('href')).toBe('/revelation/revelation-1')
    expect(letter?.textContent).toContain('s’ouvre à 18:30')
  })

  test('opens by Enter, and has the focus again when it is closed', async () => {
    const { user } = openCalendar({ events: [anEvent()] })
    const cell = await findDay(/27 novembre 2026, 1/)
    await allIsThere()
    cell.focus()
    await user.keyboard('{Enter}')
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(day(/27 novembre/)))
  })

  test('says that it holds nothing, and still lets one add', async () => {
    const { user } = openCalendar()
    await allIsThere()
    await user.click(day(/samedi 5 décembre/))
    expect(await screen.findByText('Aucun événement le 5/12')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Ajouter' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Ajouter un événement' }))
    expect(dialog.getByLabelText('Date').textContent).toBe('samedi 5 décembre 2026')
  })

  test('gives up an event of mine, after a question', async () => {
    const { user, state } = openCalendar({ events: [anEvent()] })
    await user.click(await findDay(/27 novembre 2026, 1/))
    await user.click(await screen.findByRole('button', { name: 'Supprimer Anniversaire de Mamie' }))
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('Supprimer «\u202FAnniversaire de Mamie\u202F»')
    expect(state.events).toHaveLength(1)
    await user.click(within(question).getByRole('button', { name: 'Supprimer' }))
    await waitFor(() => expect(state.events).toEqual([]))
    expect(await screen.findByText('Il n’y a rien ce jour-là.')).toBeTruthy()
  })

  test('keeps an event that the server did not delete, and says so', async () => {
    const { user } = openCalendar({
      events: [anEvent()],
      api: [answer(deleteCalendarEvent, refusal('too_many_requests'))],
    })
    await user.click(await findDay(/27 novembre 2026, 1/))
    await user.click(await screen.findByRole('button', { name: 'Supprimer Anniversaire de Mamie' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Supprimer' }))
    expect(await question.findByRole('alert')).toBeTruthy()
  })
})

describe('adding an event', () => {
  async function openForm(api: RequestHandler[]) {
    const { user, state } = openCalendar({ api })
    await allIsThere()
    await user.click(await findDay(/samedi 28 novembre/))
    await user.click(screen.getByRole('button', { name: 'Ajouter un événement' }))
    const form = within(await screen.findByRole('dialog', { name: 'Ajouter un événement' }))
    return { user, state, form }
  }

  test('waits for a title and a date, and shows the event in its month', async () => {
    let requests: unknown
    const added = anEvent({ title: 'Fête de Léo', date: '2026-11-28', type: 'holiday' })
    const { user, state, form } = await openForm([
      answer(createCalendarEvent, ({ body }) => {
        requests = body
        state.events = [added]
        return { ...added, event: added }
      }),
    ])
    const add = form.getByRole('button', { name: 'Ajouter' })
    expect(add).toHaveProperty('disabled', true)
    await user.type(form.getByLabelText('Titre'), '   ')
    expect(add).toHaveProperty('disabled', true)
    await user.type(form.getByLabelText('Titre'), 'Fête de Léo')
    expect(form.getByText('Revient chaque année à cette date.')).toBeTruthy()
    await user.click(form.getByRole('radio', { name: 'Férié ou vacances' }))
    expect(form.getByText('Marqué une seule fois, à cette date.')).toBeTruthy()
    await user.click(add)
    await waitFor(() =>
      expect(requests).toEqual({
        title: 'Fête de Léo',
        date: '2026-11-28',
        type: 'holiday',
        description: '',
      }),
    )
    expect(await findDay(/28 novembre 2026, 1.événement/)).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(day(/28 novembre/)))
  })

  test('shows beside the field what the server refuses, and loses nothing', async () => {
    const { user, form } = await openForm([
      answer(
        createCalendarEvent,
        refusal('invalid_input', { title: 'Le titre ne peut pas dépasser 120 caractères' }),
      ),
    ])
    await user.type(form.getByLabelText('Titre'), 'Un titre')
    await user.type(form.getByLabelText(/^Description/), 'Quelques mots')
    await user.click(form.getByRole('button', { name: 'Ajouter' }))
    expect((await form.findByRole('alert')).textContent).toBe(
      'Le titre ne peut pas dépasser 120 caractères',
    )
    const title = form.getByLabelText('Titre')
    expect(title).toHaveProperty('value', 'Un titre')
    expect(title.getAttribute('aria-invalid')).toBe('true')
    expect(form.getByLabelText(/^Description/)).toHaveProperty('value', 'Quelques mots')
  })

  test('finds again what was written when the window was closed by mistake', async () => {
    const { user, form } = await openForm([])
    await user.type(form.getByLabelText('Titre'), 'À moitié écrit')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Ajouter un événement' }))
    expect(await screen.findByDisplayValue('À moitié écrit')).toBeTruthy()
  })
})

describe('what an older page left in this browser', () => {
  const old = [{ id: '1', title: 'Vieux souvenir', date: '2026-11-27', type: 'other' }]
  const imported = anEvent({ title: 'Vieux souvenir', date: '2026-11-27', type: 'other' })

  test('is given to the server once, and forgotten then', async () => {
    localStorage.setItem(OLD_KEY, JSON.stringify(old))
    const requests: unknown[] = []
    const { state } = openCalendar({
      api: [
        answer(importCalendarEvents, ({ body }) => {
          requests.push(body)
          state.events = [imported]
          return { events: [imported] }
        }),
      ],
    })
    expect(await findDay(/27 novembre 2026, 1/)).toBeTruthy()
    const { id, ...event } = old[0] ?? {}
    expect(requests).toEqual([{ events: [{ ...event, description: '' }] }])
    expect(localStorage.getItem(OLD_KEY)).toBeNull()
  })

  test('stays when the server could not take it, and is tried again', async () => {
    localStorage.setItem(OLD_KEY, JSON.stringify(old))
    let isDown = true
    const { user } = openCalendar({
      api: [
        answer(importCalendarEvents, () =>
          isDown ? refusal('unexpected') : { events: [imported] },
        ),
      ],
    })
    const notice = within(await screen.findByRole('alert'))
    expect(JSON.parse(localStorage.getItem(OLD_KEY) ?? '')).toEqual(old)
    isDown = false
    await user.click(notice.getByRole('button', { name: 'Réessayer' }))
    await waitFor(() => expect(localStorage.getItem(OLD_KEY)).toBeNull())
  })

  test('is added one by one where this account has taken in those of another browser', async () => {
    localStorage.setItem(OLD_KEY, JSON.stringify(old))
    const added: unknown[] = []
    openCalendar({
      api: [
        answer(importCalendarEvents, { events: [anEvent()] }),
        answer(createCalendarEvent, ({ body }) => {
          added.push(body)
          return { ...imported, event: imported }
        }),
      ],
    })
    await waitFor(() => expect(localStorage.getItem(OLD_KEY)).toBeNull())
    const { title, date, type } = imported
    expect(added).toEqual([{ title, date, type, description: '' }])
  })

  test('stays where it is when it is no event, and is not given again', async () => {
    const unread = { title: 'Un jour', date: 'bientôt' }
    localStorage.setItem(OLD_KEY, JSON.stringify([...old, unread]))
    const requests: unknown[] = []
    openCalendar({
      api: [
        answer(importCalendarEvents, ({ body }) => {
          requests.push(body)
          return { events: [imported] }
        }),
      ],
    })
    await waitFor(() => expect(JSON.parse(localStorage.getItem(OLD_KEY) ?? '')).toEqual([unread]))
    expect(findLegacyEvents(aUser().id)).toBeUndefined()
    expect(requests).toHaveLength(1)
  })

  test('is never given to whoever signs in after the one it belongs to', async () => {
    localStorage.setItem(OLD_KEY, JSON.stringify(old))
    localStorage.setItem('old-events-owner', 'user-before')
    openCalendar()
    await allIsThere()
    expect(JSON.parse(localStorage.getItem(OLD_KEY) ?? '')).toEqual(old)
    expect(localStorage.getItem('old-events-owner')).toBe('user-before')
  })
})

describe('what comes next', () => {
  test('is listed, the soonest first, events and reveals together', async () => {
    openCalendar({
      events: [anEvent({ date: '1956-11-23' })],
      reveals: [
        aReveal(),
        aReveal({ id: 'far', title: 'Dans longtemps', reveal_date: '2028-05-01T10:00:00.000Z' }),
      ],
    })
    const panel = within(await screen.findByRole('region', { name: 'À venir' }))
    await panel.findByText('Dans longtemps')
    expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Anniversaire de Mamiedemain'),
      expect.stringContaining('Pour tes dix-huit ansdans 5 jours, de @noemie'),
      expect.stringContaining('Dans longtempsdans 1\u00A0an et 5\u00A0mois'),
    ])
    expect(panel.getByText(/^2.ouvertures à venir/)).toBeTruthy()
  })
})

describe('the subscription', () => {
  test('that was ended says so, until there is another', async () => {
    const ended = answer(getCalendarFeed, { url: null, ended_at: '2026-11-19T12:00:00.000Z' })
    const { user } = openCalendar({ api: [ended] })
    const panel = within(await screen.findByRole('region', { name: 'S’abonner au calendrier' }))
    expect(await panel.findByText('Votre adresse a pris fin')).toBeTruthy()
    expect(panel.getByText(/^Le 19 novembre 2026/)).toBeTruthy()
    await user.click(panel.getByRole('button', { name: 'Créer mon adresse' }))
    expect(await panel.findByLabelText('Adresse de votre calendrier')).toBeTruthy()
    expect(panel.queryByText('Votre adresse a pris fin')).toBeNull()
  })

  test('has an address that is made, copied, replaced and revoked', async () => {
    const { user, state } = openCalendar()
    const panel = within(await screen.findByRole('region', { name: 'S’abonner au calendrier' }))
    expect(await panel.findByText(/peut lire les titres et les dates/)).toBeTruthy()
    await user.click(panel.getByRole('button', { name: 'Créer mon adresse' }))
    const field = await panel.findByLabelText('Adresse de votre calendrier')
    expect(field).toHaveProperty('value', 'https://exemple.be/api/calendar-feed/first.ics')
    const open = panel.getByRole('link', { name: 'Ouvrir dans mon agenda' })
    expect(open.getAttribute('href')).toBe('webcal://exemple.be/api/calendar-feed/first.ics')
    await user.click(panel.getByRole('button', { name: 'Copier' }))
    expect(await panel.findByText('Adresse copiée')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe(state.url)

    await user.click(panel.getByRole('button', { name: 'Remplacer' }))
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remplacer' }),
    )
    expect(await panel.findByDisplayValue(/second\.ics$/)).toBeTruthy()

    await user.click(await panel.findByRole('button', { name: 'Révoquer' }))
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Révoquer' }),
    )
    const createButton = await panel.findByRole('button', { name: 'Créer mon adresse' })
    await waitFor(() => expect(document.activeElement).toBe(createButton))
    expect(state.url).toBeNull()
  })
})
