import type { AppContext } from '#server/context.ts'
import type { Schedule } from '#server/platform/jobs/work.ts'
import { sweepOrphanPieces, sweepUploads } from './uploads-sweep.service.ts'

const MINUTE_MS = 60_000

export const uploadSchedules: readonly Schedule<AppContext>[] = [
  { name: 'sweep-uploads', everyMs: 5 * MINUTE_MS, run: sweepUploads },
  { name: 'sweep-orphan-pieces', everyMs: 60 * MINUTE_MS, run: sweepOrphanPieces },
]
