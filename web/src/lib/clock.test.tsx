import { act, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { learnServerClock, resetServerClock, serverNow, useCountdown, useIsPast } from './clock.ts'

describe('serverNow', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z')

  beforeEach(() => {
    vi.useFakeTimers({ now })
    resetServerClock()
  })
  afterEach(() => vi.useRealTimers())

  /** One answer from a server whose clock is `offset` away, seen through a network that takes `there` and `back`. */
  function learn(offset: number, sentAt: number, there: number, back: number) {
    learnServerClock(String(sentAt + there + offset), sentAt, sentAt + there + back)
  }

  test('a clock that may be right is left as it is', () => {
    learn(0, now, 20, 30)
    expect(serverNow()).toBe(now)
  })

  test('one answer says where the server’s clock is, and others that were slow take nothing back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5_000_000, max: 5_000_000 }), (offset) => {
        resetServerClock()
        learn(offset, now, 5, 25)
        for (let step = 1; step < 5; step++) learn(offset, now + step * 1070, 400, 2_000)
        expect(Math.abs(serverNow() - now - offset)).toBeLessThanOrEqual(32)
      }),
    )
  })

  test('a clock set while the page is open is believed again', () => {
    learn(0, now, 10, 10)
    learn(3_600_000, now, 10, 10)
    expect(Math.abs(serverNow() - now - 3_600_000)).toBeLessThanOrEqual(12)
  })

  test('an answer without a time teaches nothing', () => {
    learnServerClock(null, now, now + 10)
    expect(serverNow()).toBe(now)
  })
})

describe('useCountdown and useIsPast', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00.300Z') })
    resetServerClock()
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
    const anHourLater = Date.parse('2026-11-20T13:00:00.300Z')
    learnServerClock(anHourLater, Date.now(), Date.now() + 40)
    function Countdown() {
      return <p>{useCountdown('2026-11-20T13:00:30Z')}</p>
    }
    render(<Countdown />)
    expect(screen.getByText('30 s')).toBeTruthy()
  })
})
