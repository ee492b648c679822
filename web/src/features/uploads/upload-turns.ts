/** Lets few transfers run at once, so that many files do not share one line of a phone; the others go in their order. */
export interface UploadTurns {
  /** Whether the next one has to wait. */
  areFull: () => boolean
  /** Resolves at its turn with what ends it; at once when it is given up. */
  acquire: (signal: AbortSignal) => Promise<() => void>
}

export function createUploadTurns(count: number): UploadTurns {
  let free = count
  const waiting: (() => void)[] = []
  const pass = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return {
    areFull: () => free === 0,
    acquire: (signal) =>
      new Promise((resolve) => {
        const begin = () => {
          signal.removeEventListener('abort', leave)
          let isOver = false
          resolve(() => {
            if (isOver) return
            isOver = true
            pass()
          })
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(begin), 1)
          resolve(() => undefined)
        }
        if (free > 0) {
          free -= 1
          return begin()
        }
        waiting.push(begin)
        signal.addEventListener('abort', leave, { once: true })
      }),
  }
}
