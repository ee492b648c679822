import { useEffect, useMemo, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { farSample, LIVE_ID, liveLetter, liveSample, openSample } from './samples.ts'

const FIRST_WAIT_MS = 40_000
const NEXT_WAIT_MS = 6_000

/** One time that the live sample is sealed and opens. */
interface Run {
  number: number
  sealedAtMs: number
  waitMs: number
  /** Its words, once they were asked for. */
  letter?: string
}

/** The three samples. One of them is sealed as one arrives and opens while one looks; `again` seals it anew. */
export function useSamples() {
  const [run, setRun] = useState<Run>(() => ({
    number: 0,
    sealedAtMs: serverNow(),
    waitMs: FIRST_WAIT_MS,
  }))
  useEffect(() => {
    // The first screen was made a while ago, and the clock stands still until it is taken over (`holdServerClock`).
    const timer = setTimeout(() => setRun((first) => ({ ...first, sealedAtMs: serverNow() })))
    return () => clearTimeout(timer)
  }, [])
  const [arrivedAtMs] = useState(run.sealedAtMs)
  const others = useMemo(() => [openSample(arrivedAtMs), farSample(arrivedAtMs)], [arrivedAtMs])
  const live = useMemo((): Revelation => {
    const envelope = liveSample(run.sealedAtMs, run.waitMs)
    return run.letter === undefined ? envelope : liveLetter(envelope, run.letter)
  }, [run])
  const refresh = async (id: string): Promise<Revelation> => {
    if (id !== LIVE_ID) return others.find((sample) => sample.id === id) ?? live
    const { LIVE_LETTER } = await import('./live-letter.ts')
    setRun((waiting) => ({ ...waiting, letter: LIVE_LETTER }))
    return live
  }
  const again = () =>
    setRun(({ number }) => ({
      number: number + 1,
      sealedAtMs: serverNow(),
      waitMs: NEXT_WAIT_MS,
    }))
  return { live, samples: [live, ...others], run: run.number, refresh, again }
}
