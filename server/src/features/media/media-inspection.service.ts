import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { type DetectedType, settleType } from '#server/platform/media-tools/file-type.ts'
import { readImageFacts } from '#server/platform/media-tools/image-facts.ts'
import {
  ToolFailed,
  TooManyPixels,
  UnreadableMedia,
} from '#server/platform/media-tools/media-errors.ts'
import { withPlainSource } from '#server/platform/media-tools/plain-source.ts'
import { probe } from '#server/platform/media-tools/probe.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { plainFileOf } from './media-keys.service.ts'

export interface Inspection {
  type: DetectedType
  durationSeconds: number | null
  width: number | null
  height: number | null
}

const PROBE_TIMEOUT_MS = 60_000

/** What a stored file really is; `invalid_file` when it cannot be shown. */
export async function inspectFile(
  ctx: AppContext,
  key: DataKey,
  detected: DetectedType,
  head: Buffer,
  object: { storageKey: string; sizeBytes: number; mimeType: string },
): Promise<Inspection> {
  try {
    if (detected.kind === 'document') {
      return { type: detected, durationSeconds: null, width: null, height: null }
    }
    if (detected.kind === 'image') {
      const { width, height } = readImageFacts(head)
      return { type: detected, durationSeconds: null, width, height }
    }
    const facts = await withPlainSource(plainFileOf(ctx, key, object), (url) =>
      probe(ctx.tools, url, { timeoutMs: PROBE_TIMEOUT_MS, signal: ctx.stopping }),
    )
    return {
      type: settleType(detected, facts),
      durationSeconds: facts.durationSeconds,
      width: facts.width || null,
      height: facts.height || null,
    }
  } catch (error) {
    if (error instanceof TooManyPixels) {
      throw new AppError('invalid_file', {
        message: 'Cette image a trop de pixels pour être affichée',
      })
    }
    if (error instanceof UnreadableMedia || error instanceof ToolFailed) {
      ctx.log.info({ error: error.message }, 'an upload cannot be read')
      throw new AppError('invalid_file')
    }
    throw error
  }
}
