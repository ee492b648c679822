import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { formatCountdown, useCountdown, useIsPast } from './countdown.ts'
import { forgetServerClock, learnServerClock } from './server-clock.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

describe('the text of a countdown', () => {
  test.each([
    [3 * 24 * HOUR + 4 * HOUR + 59 * 60 * SECOND, '3 j 04 h'],
    [24 * HOUR, '1 j 00 h'],
    [24 * HOUR - SECOND, '23 h 59 min'],
    [4 * HOUR + 12 * 60 * SECOND, '04 h 12 min'],
    [12 * 60 * SECOND + 9 * SECOND, '12 min 09 s'],
    [59 * SECOND, '59 s'],
    [9 * SECOND, '9 s'],
    [1, '1 s'],
    [0, 'Révélé !'],
    [-5 * HOUR, 'Révélé !'],
  ])('%i ms is « %s »', (remaining, text) => {
    expect(formatCountdown(remaining).replaceAll('\u00A0', ' ')).toBe(text)
  })
})

describe('on the page', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00.300Z') })
    forgetServerClock()
  })
  afterEach(() => vi.useRealTimers())

  test('each countdown renders only when its own text changes', () => {
    const renders = { near: 0, far: 0 }
    function Countdown({ name, instant }: { name: keyof typeof renders; instant: string }) {
      renders[name] += 1
      return <p>{useCountdown(instant)}</p>
    }
    render(
      <>
        <Countdown name="near" instant="2026-11-20T12:00:05Z" />
        <Countdown name="far" instant="2026-11-29T12:00:00Z" />
      </>,
    )
    expect(screen.getByText('5 s')).toBeTruthy()
    for (const wait of [700, 1000, 1000, 1000, 1000]) act(() => vi.advanceTimersByTime(wait))
    expect(screen.getByText('Révélé !')).toBeTruthy()
    expect(renders.near).toBe(6)
    expect(renders.far).toBe(2)
  })

  test('an instant between two seconds is not waited for until the next one', () => {
    function Passing() {
      return <p>{useIsPast('2026-11-20T12:00:02.150Z') ? 'passé' : 'à venir'}</p>
    }
    render(<Passing />)
    act(() => vi.advanceTimersByTime(1849))
    expect(screen.getByText('à venir')).toBeTruthy()
    act(() => vi.advanceTimersByTime(1))
    expect(screen.getByText('passé')).toBeTruthy()
  })

  test('a device whose clock is wrong follows the server', () => {
    const anHourLater = 'Fri, 20 Nov 2026 13:00:00 GMT'
    learnServerClock(anHourLater, Date.now(), Date.now() + 40)
    function Countdown() {
      return <p>{useCountdown('2026-11-20T13:00:30Z')}</p>
    }
    render(<Countdown />)
    expect(screen.getByText(/^(29|30) s$/)).toBeTruthy()
  })
})
