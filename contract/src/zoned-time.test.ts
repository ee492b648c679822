import { describe, expect, it } from 'vitest'
import { addDays, dayIn, startOfDay } from './zoned-time.ts'

const ODD_ZONES = [
  'Europe/Brussels',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Beirut',
  'Africa/Cairo',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
]

describe('startOfDay', () => {
  it.each(ODD_ZONES)('is the first instant of each day of two years in %s', (zone) => {
    let day = '2026-01-01'
    for (let n = 0; n < 730; n += 1) {
      const start = startOfDay(day, zone)
      expect(dayIn(zone, start)).toBe(day)
      expect(dayIn(zone, new Date(start.getTime() - 1)) < day).toBe(true)
      day = addDays(day, 1)
    }
  })

  it('takes the day after for a day that a zone jumped over', () => {
    // Samoa had no 30 December 2011.
    expect(dayIn('Pacific/Apia', startOfDay('2011-12-30', 'Pacific/Apia'))).toBe('2011-12-31')
  })
})
