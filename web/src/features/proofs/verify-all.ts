import { type InSteps, inSlices } from '#contract/proofs/in-steps.ts'
import type { Context, Verdict } from '#contract/proofs/verdict.ts'
import { verifying } from '#contract/proofs/verify.ts'

/** A proof, whatever it is, and what a verifier has besides. */
export interface Job {
  proof: unknown
  context: Context
}

/** What a worker sends to whoever started it. */
export type WorkerMessage = { progress: number } | { verdicts: Verdict[] }

/** Verdicts take less than a slice up to so many leaves, and a worker takes longer to start. */
const LIGHT = 200

/** The verdict on each, in their order. */
export function* verifyingAll(jobs: readonly Job[]): InSteps<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const { proof, context } of jobs) {
    const work = verifying(proof, context)
    let step = work.next()
    for (; !step.done; step = work.next()) yield (verdicts.length + step.value) / jobs.length
    verdicts.push(step.value)
    yield verdicts.length / jobs.length
  }
  return verdicts
}

export interface Watch {
  /** Starts a worker that runs `answerJobs`. */
  start: () => Worker
  onProgress: (done: number) => void
  signal: AbortSignal
}

/**
 * The verdict on each: large ones in a worker, and in the page, in slices, where none can be started. Answers undefined when it
 * was aborted.
 */
export async function verifyAll(
  jobs: readonly Job[],
  { start, onProgress, signal }: Watch,
): Promise<Verdict[] | undefined> {
  const leaves = jobs.reduce((sum, { proof }) => sum + countLeaves(proof), 0)
  const answered =
    leaves > LIGHT ? await inWorker(jobs, { start, onProgress, signal }) : 'not started'
  return answered === 'not started' ? inSlices(verifyingAll(jobs), onProgress, signal) : answered
}

function countLeaves(proof: unknown): number {
  const { leaves, versions } = (proof ?? {}) as { leaves?: unknown; versions?: unknown }
  return [leaves, versions].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    1,
  )
}

function inWorker(
  jobs: readonly Job[],
  { start, onProgress, signal }: Watch,
): Promise<Verdict[] | undefined | 'not started'> {
  return new Promise((resolve) => {
    let worker: Worker | undefined
    const end = (answer: Verdict[] | undefined | 'not started') => {
      worker?.terminate()
      resolve(answer)
    }
    try {
      worker = start()
    } catch {
      return end('not started')
    }
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) =>
      'verdicts' in data ? end(data.verdicts) : onProgress(data.progress)
    worker.onerror = () => end('not started')
    signal.addEventListener('abort', () => end(undefined))
    worker.postMessage(jobs)
  })
}

const PROGRESS_EVERY_MS = 100

/** What a worker does. */
export function answerJobs(): void {
  addEventListener('message', ({ data }: MessageEvent<readonly Job[]>) => {
    const work = verifyingAll(data)
    let sentAtMs = performance.now()
    let step = work.next()
    for (; !step.done; step = work.next()) {
      if (performance.now() < sentAtMs + PROGRESS_EVERY_MS) continue
      sentAtMs = performance.now()
      send({ progress: step.value })
    }
    send({ verdicts: step.value })
  })
}

function send(message: WorkerMessage): void {
  postMessage(message)
}
