import type { AppContext } from '#server/context.ts'
import { handles, type Schedule } from '#server/platform/jobs/work.ts'
import { compressVideo, deleteMediaFiles, prepareMedia } from './media.jobs.ts'
import { runStep } from './media-step-runs.service.ts'
import { sweepOrphanFiles, sweepUnusedMedia } from './media-sweep.service.ts'

export const mediaHandlers = [
  handles(prepareMedia, handleMediaStep, roomForWork),
  handles(compressVideo, handleMediaStep, roomForWork),
  handles(deleteMediaFiles, handleDeleteMediaFiles),
]

export const mediaSchedules: Schedule<AppContext>[] = [
  { name: 'sweep-unused-media', everyMs: 5 * 60_000, run: sweepUnusedMedia },
  { name: 'sweep-orphan-files', everyMs: 60 * 60_000, run: sweepOrphanFiles },
]

function roomForWork({ disk, stopping }: AppContext): Promise<void> {
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
