import type { EventName, RevelationChanged } from '#contract/events.ts'

/** Keeps the connection alive and says nothing. */
export const HEARTBEAT = Buffer.from(':\n\n')
export const READY = message('ready', {})
export const RELATIONSHIPS = message('relationships', {})
export const SOUNDS = message('sounds', {})

export function revelationMessage(changed: RevelationChanged): Buffer {
  return message('revelation', changed)
}

function message(name: EventName, data: object): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}
