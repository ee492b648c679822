import type { RequestHandler } from 'msw'
import { listCalendarEvents } from '#contract/calendar.ts'
import {
  type CircleMember,
  type CircleStatistics,
  getCircleStatistics,
  listCircleMembers,
  listCircleReveals,
} from '#contract/circle.ts'
import { listRevelations, type Revelation } from '#contract/revelations.ts'
import { listSounds } from '#contract/sounds.ts'
import { someFigures } from './circle-samples.ts'
import { answer } from './fake-api.ts'
import { renderPage } from './render-page.tsx'
import { aPage, aUser } from './samples.ts'

interface Circle {
  /** After the question mark. */
  search?: string
  members?: CircleMember[]
  figures?: Partial<CircleStatistics>
  deliveries?: Revelation[]
  sounds?: number
  upcoming?: number
  api?: RequestHandler[]
}

/** The page of the private circle, before a server that knows this circle. */
export function openCircle({
  search = '',
  members = [],
  figures = {},
  deliveries = [],
  sounds = 0,
  upcoming = 0,
  api = [],
}: Circle = {}) {
  return renderPage(`/family${search}`, {
    user: aUser(),
    api: [
      ...api,
      answer(listCircleMembers, { members }),
      answer(getCircleStatistics, someFigures(figures)),
      answer(listRevelations, aPage(deliveries)),
      answer(listSounds, {
        sounds: [],
        next_cursor: null,
        count: sounds,
        totals: { sounds, duration: 0, favorites: 0, plays: 0 },
      }),
      answer(listCircleReveals, { reveals: [], upcoming }),
      answer(listCalendarEvents, { events: [], imported: true }),
    ],
  })
}
