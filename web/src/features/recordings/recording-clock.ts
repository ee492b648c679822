/** How long has been recorded, pauses apart. */
export interface RecordingClock {
  elapsedMs: () => number
  pause: () => void
  resume: () => void
}

export function startRecordingClock(now: () => number = () => performance.now()): RecordingClock {
  let beforeMs = 0
  let sinceMs: number | undefined = now()
  const elapsedMs = () => beforeMs + (sinceMs === undefined ? 0 : now() - sinceMs)
  return {
    elapsedMs,
    pause: () => {
      beforeMs = elapsedMs()
      sinceMs = undefined
    },
    resume: () => {
      sinceMs ??= now()
    },
  }
}
