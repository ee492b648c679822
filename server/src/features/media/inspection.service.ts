import { ACCEPTED_FILES, type Folder } from '#contract/media.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import {
  type DetectedType,
  detectType,
  settleType,
} from '#server/platform/media-tools/file-type.ts'
import { readImageFacts } from '#server/platform/media-tools/images.ts'
import { TooManyPixels, UnreadableMedia } from '#server/platform/media-tools/media-errors.ts'
import { withPlainSource } from '#server/platform/media-tools/plain-source.ts'
import { probe } from '#server/platform/media-tools/probe.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { plainFileOf } from './file-keys.service.ts'
import { folderOf } from './media.rules.ts'

export interface Inspection {
  type: DetectedType
  durationSeconds: number | null
  width: number | null
  height: number | null
}

/** The type of a file by its first bytes; `unsupported_type` when we accept none such, or not in this folder. */
export async function detectFile(
  head: Buffer,
  { folder, declaredType }: { folder: Folder | undefined; declaredType: string },
): Promise<DetectedType> {
  const detected = await detectType(head)
  if (!detected) throw unknownType(declaredType)
  // Some containers carry films and recordings alike: only their streams say which.
  const canBeEither = isPlayed(detected) && (folder === 'videos' || folder === 'audio')
  if (!canBeEither) requireFolder(folder, detected)
  return detected
}

function isPlayed({ kind }: DetectedType): boolean {
  return kind === 'video' || kind === 'audio'
}

function requireFolder(folder: Folder | undefined, ...types: DetectedType[]): void {
  if (folder === undefined || types.some(({ kind }) => folderOf(kind) === folder)) return
  throw new OtherFolderError(types.at(-1)?.mimeType ?? '')
}

interface StoredFile {
  detected: DetectedType
  head: Buffer
  object: { storageKey: string; sizeBytes: number; mimeType: string }
  folder: Folder | undefined
}

const PROBE_TIMEOUT_MS = 60_000

/**
 * The real type and facts of a stored file; `invalid_file` when it cannot be shown. A tool that was killed, or is late on
 * a busy machine, throws: the failure is ours, and the same file may be inspected again.
 */
export async function inspectFile(
  ctx: AppContext,
  key: DataKey,
  file: StoredFile,
): Promise<Inspection> {
  try {
    const inspection = await readFacts(ctx, key, file)
    requireFolder(file.folder, file.detected, inspection.type)
    return inspection
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

async function readFacts(
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

/** We accept the file, but not in this folder: the same bytes may be sent for another one. */
export class OtherFolderError extends AppError {
  constructor(type: string) {
    super('unsupported_type', { message: formatUnsupported(type) })
  }
}

/** Names the type that the browser declared, unless the bytes belie it. */
function unknownType(declaredType: string): AppError {
  const clean = declaredType.replaceAll(/[^\w.+/-]/g, '').slice(0, 100)
  const isBelied = clean === '' || ACCEPTED_FILES.split(',').includes(clean)
  const message = formatUnsupported(isBelied ? 'contenu inconnu' : clean)
  return new AppError('unsupported_type', { message })
}

function formatUnsupported(type: string): string {
  return `Type de fichier non autorisé: ${type}`
}
