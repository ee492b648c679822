import type { FileType } from '#contract/revelations.ts'
import type { CreateRevelationInput, EditRevelationInput } from '#contract/sealing.ts'
import type { AppContext } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import { albumOf, type EnvelopeRow, filesOf } from '#server/features/access/envelopes.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { TeaserWindow } from '#server/features/media/media.rules.ts'
import {
  type ClaimedMedia,
  claimMedia,
  getKind,
  lockNamed,
  updateTeaser,
} from '#server/features/media/media.service.ts'
import { type PlannedFile, planAlbum, type StoredFile } from './album.rules.ts'
import type { SealedFile } from './letter-fields.service.ts'
import { teaserOf } from './revelations.rules.ts'

/** The files of a letter that is being sealed. */
export interface Album {
  /** In their author’s order, with what the seal names of each. */
  files: readonly (SealedFile & StoredFile)[]
  /** Of the first. */
  kind: FileType | null
  /** A part of the first, if that is a film: it is shown with the envelope. */
  teaser: TeaserWindow | null
}

/** The album of an edit, with what it leaves. */
export interface ReplacedAlbum extends Album {
  isChanged: boolean
  isFirstReplaced: boolean
  /** What nothing uses any more. */
  releasedIds: string[]
}

/** Claims the files of a new letter; refuses `file_url`, `file_urls.<n>` and `captions` by name. */
export async function claimAlbum(
  tx: AppContext,
  actor: Actor,
  input: CreateRevelationInput,
): Promise<Album> {
  const plan = requirePlan(input, [])
  await lockNamed(tx, urlsOf(plan.files, input), [])
  const files = await followPlan(tx, actor, plan.files, [])
  const kind = files[0]?.kind ?? null
  const teaser = kind === 'video' ? teaserOf(input) : null
  for (const [at, file] of files.entries()) {
    // A film may have been sent with one, and is not the first.
    if (file.kind === 'video') await updateTeaser(tx, file.mediaId, at === 0 ? teaser : null)
  }
  return { files, kind, teaser }
}

/** Keeps, claims and leaves files as an edit says; refuses as `claimAlbum` does. */
export async function replaceAlbum(
  tx: AppContext,
  actor: Actor,
  envelope: EnvelopeRow,
  sealed: readonly SealedFile[],
  input: EditRevelationInput,
): Promise<ReplacedAlbum> {
  const stored = storedFilesOf(envelope, sealed)
  const plan = requirePlan(input, stored)
  if (plan.isChanged || input.seal_voice !== undefined) {
    await lockNamed(tx, urlsOf(plan.files, input), filesOf(envelope))
  }
  const files = await followPlan(tx, actor, plan.files, stored)
  const [first, ...others] = files
  const isFirstReplaced = (first?.mediaId ?? null) !== envelope.mediaId
  const kind = first ? (first.kind ?? (await getKind(tx, first.mediaId))) : null
  const hasTeaserInput = input.teaser_start !== undefined || input.teaser_end !== undefined
  const storedTeaser = { teaser_start: envelope.teaserStart, teaser_end: envelope.teaserEnd }
  const isTeaserNew = hasTeaserInput || isFirstReplaced
  const teaser = kind === 'video' ? teaserOf(isTeaserNew ? input : storedTeaser) : null
  if (first && isTeaserNew) await updateTeaser(tx, first.mediaId, teaser)
  for (const { mediaId, kind: claimed } of others) {
    // The film that was the first takes no part of itself along into its new place.
    if (claimed === 'video' || mediaId === envelope.mediaId) await updateTeaser(tx, mediaId, null)
  }
  const usedIds = new Set(files.map(({ mediaId }) => mediaId))
  const releasedIds = albumOf(envelope).filter((id) => !usedIds.has(id))
  return { files, kind, teaser, isChanged: plan.isChanged, isFirstReplaced, releasedIds }
}

/** Whether an edit asks for other files, another order or other captions. */
export function changesAlbum(
  envelope: EnvelopeRow,
  sealed: readonly SealedFile[],
  input: EditRevelationInput,
): boolean {
  const plan = planAlbum(input, storedFilesOf(envelope, sealed))
  return 'refusal' in plan || plan.isChanged
}

/** The files of a letter with what its seal names of them, both in one order. */
function storedFilesOf(envelope: EnvelopeRow, sealed: readonly SealedFile[]) {
  return albumOf(envelope).flatMap((mediaId, at) => {
    const file = sealed[at]
    return file ? [{ mediaId, ...file }] : []
  })
}

function requirePlan(input: EditRevelationInput, stored: readonly StoredFile[]) {
  const plan = planAlbum(input, stored)
  if ('refusal' in plan) throw fieldError(plan.field, plan.refusal)
  return plan
}

/** What a transaction is about to claim: the voice of the seal too, which may be named in the place of a file. */
function urlsOf(files: readonly PlannedFile[], { seal_voice }: EditRevelationInput): string[] {
  return [...files.map(({ url }) => url), ...(seal_voice ? [seal_voice] : [])]
}

async function followPlan(
  tx: AppContext,
  actor: Actor,
  plan: readonly PlannedFile[],
  stored: readonly (SealedFile & StoredFile)[],
): Promise<(SealedFile & StoredFile & { kind: FileType | undefined })[]> {
  const files = []
  for (const { field, url, storedAt, caption } of plan) {
    const storedFile = storedAt === undefined ? undefined : stored[storedAt]
    if (storedFile) {
      files.push({ ...storedFile, caption, kind: undefined })
    } else {
      const claimed = await claimMedia(tx, actor, url, field)
      const { mediaId, kind } = claimed
      files.push({ mediaId, kind, sha256: sealedHashOf(claimed), caption })
    }
  }
  return files
}

/** What the seal names of a file that was just claimed. */
function sealedHashOf({ sha256 }: ClaimedMedia): Buffer {
  return sha256
}
