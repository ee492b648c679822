import type { OpenRevelation, OwnRevelation, Revelation } from './revelations.ts'

/* What the page of a revelation needs at once, apart from the schemas: those come with the first call. */

/** Whether this viewer received the letter. */
export function isOpen(revelation: Revelation): revelation is OpenRevelation | OwnRevelation {
  return 'content' in revelation
}

/** Whether this viewer is its author. */
export function isOwn(revelation: Revelation): revelation is OwnRevelation {
  return 'delivery' in revelation
}

export const CALENDAR_FILE_URL = '/api/revelations/:id/calendar.ics'
export const RECORD_VIEW_URL = '/api/revelations/:id/view'

/** The header that carries the personal key of a delivery mail (`#cle=` in its link). */
export const DELIVERY_KEY_HEADER = 'x-delivery-key'
