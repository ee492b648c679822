import type { AppContext } from '#server/context.ts'
import { handleJob } from '#server/platform/jobs/jobs.ts'
import type { Schedule } from '#server/platform/jobs/schedules.ts'
import { compressVideo, deleteMediaFiles, prepareMedia } from './media.jobs.ts'
import { runStep } from './processing.service.ts'
import { planCopies } from './steps.service.ts'
import {
  sweepOrphanFiles,
  sweepOrphanPieces,
  sweepUnusedMedia,
  sweepUploads,
} from './sweep.service.ts'

const MINUTE_MS = 60_000

export const mediaHandlers = [
  handleJob(prepareMedia, handleMediaStep, untilDiskHasSpace),
  handleJob(compressVideo, handleMediaStep, untilDiskHasSpace),
  handleJob(deleteMediaFiles, handleDeleteMediaFiles),
]

export const mediaSchedules: Schedule<AppContext>[] = [
  { name: 'plan-copies', everyMs: MINUTE_MS, run: planCopies },
  { name: 'sweep-unused-media', everyMs: 5 * MINUTE_MS, run: sweepUnusedMedia },
  { name: 'sweep-orphan-files', everyMs: 60 * MINUTE_MS, run: sweepOrphanFiles },
  { name: 'sweep-uploads', everyMs: 5 * MINUTE_MS, run: sweepUploads },
  { name: 'sweep-orphan-pieces', everyMs: 60 * MINUTE_MS, run: sweepOrphanPieces },
]

function untilDiskHasSpace({ disk, stopping }: AppContext): Promise<void> {
  return disk.untilRoomForWork(stopping)
}

export function handleMediaStep(ctx: AppContext, { stepId }: { stepId: string }): Promise<void> {
  return runStep(ctx, stepId)
}

export async function handleDeleteMediaFiles(
  ctx: AppContext,
  { storageKeys }: { storageKeys: string[] },
): Promise<void> {
  for (const storageKey of storageKeys) await ctx.storage.delete(storageKey)
}
