import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema } from './text.ts'

const tags = ['reminders'] as const
const byId = z.object({ id: idSchema })
const reminded = z.object({ reminded: z.boolean() })

export const getReminder = defineEndpoint({
  method: 'GET',
  url: '/api/revelations/:id/reminder',
  scope: 'read',
  schema: {
    summary: 'Whether I asked to be reminded of this reveal',
    tags,
    params: byId,
    response: { 200: reminded },
  },
})

export const setReminder = defineEndpoint({
  method: 'PUT',
  url: '/api/revelations/:id/reminder',
  scope: 'write',
  schema: {
    summary: 'Remind me by mail the day before and at the instant',
    tags,
    params: byId,
    response: { 200: reminded },
  },
})

export const removeReminder = defineEndpoint({
  method: 'DELETE',
  url: '/api/revelations/:id/reminder',
  scope: 'write',
  schema: {
    summary: 'No longer remind me',
    tags,
    params: byId,
    response: { 200: reminded },
  },
})

export const getCalendarFile = defineEndpoint({
  method: 'GET',
  url: '/api/revelations/:id/calendar.ics',
  scope: 'read',
  schema: {
    summary: 'An iCalendar event at the reveal',
    tags,
    params: byId,
    response: { 200: z.any() },
  },
})
