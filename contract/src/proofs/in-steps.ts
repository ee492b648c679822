/** Work of which each step tells how much is done, from 0 to 1. */
export type InSteps<T> = Generator<number, T, void>

/** Does it all at once. */
export function finish<T>(work: InSteps<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

const SLICE_MS = 30

/** Does it in slices, between which a page stays alive. Answers undefined when it was given up meanwhile. */
export async function inSlices<T>(
  work: InSteps<T>,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<T | undefined> {
  let sliceEndsAt = performance.now() + SLICE_MS
  while (!signal.aborted) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < sliceEndsAt) continue
    onProgress(step.value)
    await new Promise((resolve) => setTimeout(resolve))
    sliceEndsAt = performance.now() + SLICE_MS
  }
  return undefined
}
