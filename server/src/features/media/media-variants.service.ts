import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { AppContext } from '#server/context.ts'
import type { FfmpegRun } from '#server/platform/media-tools/ffmpeg.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { putSealed } from '#server/platform/sealing/sealed-object.ts'
import { newStorageKey } from '#server/platform/storage/storage.ts'
import type { MediaRow } from './media.repository.ts'
import { MEDIA_PREFIX, type MediaVariant } from './media.rules.ts'
import { makeStep } from './media-making.service.ts'
import type { StepRow } from './media-steps.repository.ts'

/** A sealed object that no row names yet. */
export interface MadeObject {
  variant: MediaVariant
  storageKey: string
  mimeType: string
  sizeBytes: number
}

/** Makes what a step is about. Nothing is left in the storage when it fails in the middle. */
export async function makeVariants(
  ctx: AppContext,
  media: MediaRow,
  step: StepRow,
  run: FfmpegRun,
): Promise<MadeObject[]> {
  const made: MadeObject[] = []
  const keep = async (
    key: DataKey,
    variant: MediaVariant,
    mimeType: string,
    bytes: Buffer | string,
  ): Promise<void> => {
    const storageKey = newStorageKey(MEDIA_PREFIX)
    const isPath = typeof bytes === 'string'
    const sizeBytes = isPath ? (await stat(bytes)).size : bytes.length
    await putSealed(ctx.storage, key, storageKey, isPath ? createReadStream(bytes) : [bytes])
    made.push({ variant, storageKey, mimeType, sizeBytes })
  }
  try {
    await makeStep(ctx, { media, step, run, keep })
    return made
  } catch (error) {
    await discardObjects(ctx, made)
    throw error
  }
}

/** Takes back objects that no row will name; what cannot be deleted now is swept later. */
export async function discardObjects(ctx: AppContext, made: readonly MadeObject[]): Promise<void> {
  for (const { storageKey } of made) {
    await ctx.storage
      .delete(storageKey)
      .catch((error) => ctx.log.warn({ err: error }, 'a variant is left to be swept'))
  }
}
