import { describe, expect, it } from 'vitest'
import {
  canMailLock,
  deviceOf,
  pseudoKeyOf,
  SESSION_IDLE_MS,
  SESSION_LONGEST_MS,
  sessionExpiry,
} from './auth.rules.ts'

const NOON = new Date('2026-11-20T12:00:00Z')

describe('sessionExpiry', () => {
  it('moves with use, but never beyond ninety days', () => {
    const used = new Date(NOON.getTime() + 80 * 86_400_000)
    expect(sessionExpiry(NOON, NOON).getTime() - NOON.getTime()).toBe(SESSION_IDLE_MS)
    expect(sessionExpiry(NOON, used).getTime() - NOON.getTime()).toBe(SESSION_LONGEST_MS)
  })
})

describe('canMailLock', () => {
  it.each([
    [null, true],
    ['2026-11-19T12:00:00.001Z', false],
    ['2026-11-19T12:00:00.000Z', true],
  ])('after a mail at %s answers %s', (last, allowed) => {
    expect(canMailLock(last === null ? null : new Date(last), NOON)).toBe(allowed)
  })
})

describe('pseudoKeyOf', () => {
  it('is the same for two spellings of a pseudo', () => {
    expect(pseudoKeyOf('Élodie')).toBe(pseudoKeyOf('E\u0301LODIE'))
  })
})

describe('deviceOf', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
      'Chrome · Linux',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
      'Safari · iPhone',
    ],
    ['curl/8.0', 'Navigateur'],
    [undefined, 'Appareil inconnu'],
  ])('names %s', (userAgent, device) => {
    expect(deviceOf(userAgent)).toBe(device)
  })
})
