interface Line {
  running: number
  waiting: (() => void)[]
}

/** Lets so many run at once under one name in this process; the others wait in line. */
export function createLanes(most: number) {
  const lines = new Map<string, Line>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(name) ?? { running: 0, waiting: [] }
    lines.set(name, line)
    if (line.running < most) line.running += 1
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place passes to the next in line.
      const next = line.waiting.shift()
      if (next) next()
      else line.running -= 1
      if (line.running === 0) lines.delete(name)
    }
  }
}

/** Runs what is asked under one name one after another in this process. */
export const inTurn = createLanes(1)
