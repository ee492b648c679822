import { useEffect, useState } from 'react'

// Below it, a room one calls silent.
const SILENCE_DB = -60

/** How loud a microphone is now, from 0 to 1. Undefined where the browser cannot tell. */
export type ReadLevel = () => number

export function useLevel(stream: MediaStream): ReadLevel | undefined {
  const [readLevel, setReadLevel] = useState<ReadLevel>()
  useEffect(() => {
    if (!('AudioContext' in window)) return
    const audio = new AudioContext()
    const analyser = audio.createAnalyser()
    analyser.fftSize = 1024
    audio.createMediaStreamSource(stream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    setReadLevel(() => () => {
      analyser.getFloatTimeDomainData(samples)
      return loudness(samples)
    })
    return () => void audio.close()
  }, [stream])
  return readLevel
}

/** As one hears it: each doubling is one step. */
export function loudness(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const decibels = 20 * Math.log10(Math.sqrt(sum / samples.length) || Number.MIN_VALUE)
  return Math.min(1, Math.max(0, 1 - decibels / SILENCE_DB))
}
