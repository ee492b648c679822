import type { AppContext } from '#server/context.ts'
import { createScratch } from '#server/platform/media-tools/scratch.ts'

/** Lends the path of a file in memory, with room for so many bytes; it is gone once the work is over. */
export async function withScratch(
  ctx: AppContext,
  name: string,
  neededBytes: number,
  work: (file: string) => Promise<void>,
): Promise<void> {
  const scratch = await createScratch(neededBytes)
  try {
    if (!scratch.inMemory) {
      // The operator is told: without room in memory, plain bytes touch the disk for a moment.
      ctx.log.warn('no memory file system has room for a variant')
      await ctx.disk.require(neededBytes)
    }
    await work(await scratch.file(name, ctx.tools.confinement?.account))
  } finally {
    await scratch.remove()
  }
}
