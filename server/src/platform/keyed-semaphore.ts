interface Queue {
  running: number
  waiting: (() => void)[]
}

/** Runs at most `limit` works of one key at once in this process; the others wait in order. */
export function createKeyedSemaphore(limit: number) {
  const queues = new Map<string, Queue>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < limit) queue.running += 1
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot passes to the next that waits.
      const next = queue.waiting.shift()
      if (next) next()
      else queue.running -= 1
      if (queue.running === 0) queues.delete(key)
    }
  }
}

/** Runs the works of one key one after another in this process. */
export const withKeyedMutex = createKeyedSemaphore(1)
