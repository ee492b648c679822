import type { Folder } from '#contract/media.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import {
  type DetectedType,
  detectType,
  settleType,
} from '#server/platform/media-tools/file-type.ts'
import { readImageFacts } from '#server/platform/media-tools/image-facts.ts'
import { TooManyPixels, UnreadableMedia } from '#server/platform/media-tools/media-errors.ts'
import { withPlainSource } from '#server/platform/media-tools/plain-source.ts'
import { probe } from '#server/platform/media-tools/probe.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { folderOf } from './media.rules.ts'
import { plainFileOf } from './media-keys.service.ts'
import { OtherFolder, unknownType } from './media-refusals.service.ts'

export interface Inspection {
  type: DetectedType
  durationSeconds: number | null
  width: number | null
  height: number | null
}

interface Wish {
  folder: Folder | undefined
  declaredType: string
}

/** The type of a file by its first bytes; `unsupported_type` when it is none we take, or not of this folder. */
export async function detectFile(
  head: Buffer,
  { folder, declaredType }: Wish,
): Promise<DetectedType> {
  const detected = await detectType(head)
  if (!detected) throw unknownType(declaredType)
  // Some containers hold films and sounds alike: which it is, is known once their streams are.
  const canBeEither = isPlayed(detected) && (folder === 'videos' || folder === 'audio')
  if (!canBeEither) requireFolder(folder, detected)
  return detected
}

function isPlayed({ kind }: DetectedType): boolean {
  return kind === 'video' || kind === 'audio'
}

function requireFolder(folder: Folder | undefined, ...types: DetectedType[]): void {
  if (folder === undefined || types.some(({ kind }) => folderOf(kind) === folder)) return
  throw new OtherFolder(types.at(-1)?.mimeType ?? '')
}

interface StoredFile {
  detected: DetectedType
  head: Buffer
  object: { storageKey: string; sizeBytes: number; mimeType: string }
  folder: Folder | undefined
}

const PROBE_TIMEOUT_MS = 60_000

/**
 * What a stored file really is; `invalid_file` when it cannot be shown. A tool that was killed, or that a busy machine
 * made late, says nothing of the file: that is our failure, and the same file may be asked for again.
 */
export async function inspectFile(
  ctx: AppContext,
  key: DataKey,
  file: StoredFile,
): Promise<Inspection> {
  try {
    const seen = await lookInto(ctx, key, file)
    requireFolder(file.folder, file.detected, seen.type)
    return seen
  } catch (error) {
    if (error instanceof TooManyPixels) {
      throw new AppError('invalid_file', {
        message: 'Cette image a trop de pixels pour être affichée',
      })
    }
    if (error instanceof UnreadableMedia) {
      ctx.log.info({ error: error.message }, 'an upload cannot be read')
      throw new AppError('invalid_file')
    }
    throw error
  }
}

async function lookInto(
  ctx: AppContext,
  key: DataKey,
  { detected, head, object }: StoredFile,
): Promise<Inspection> {
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
}
