import type { Folder, JobType } from '#contract/media.ts'
import type { FileType } from '#contract/revelations.ts'
import { TEASER_MAX_SECONDS, TEASER_MIN_SECONDS } from '#contract/sealing.ts'

/** Where files and their variants are stored. */
export const MEDIA_PREFIX = 'media/'

export type MediaState = 'receiving' | 'received' | 'processing' | 'ready' | 'failed'
export type StepState = 'processing' | 'completed' | 'failed'

export type MediaVariant =
  | 'original'
  | 'mobile'
  | 'teaser'
  | 'thumbnail_teaser'
  | 'thumbnail_complete'
  | 'image'
  | 'copy'
  | 'audio'
  | 'waveform'
  | 'seekable'

/** The teaser shows with the envelope; all other variants belong to the letter. */
export type MediaPart = 'envelope' | 'letter'

export interface TeaserWindow {
  startSeconds: number
  endSeconds: number
}

const ENVELOPE_VARIANTS: readonly MediaVariant[] = ['teaser', 'thumbnail_teaser']

export function partOf(variant: MediaVariant): MediaPart {
  return ENVELOPE_VARIANTS.includes(variant) ? 'envelope' : 'letter'
}

const FOLDERS: Record<FileType, Folder> = {
  video: 'videos',
  image: 'images',
  audio: 'audio',
  document: 'documents',
}

export function folderOf(kind: FileType): Folder {
  return FOLDERS[kind]
}

/** The steps of a new file; a teaser only when its author chose one. */
export function planSteps(kind: FileType, hasTeaser: boolean): JobType[] {
  switch (kind) {
    case 'video':
      return hasTeaser ? ['teaser', 'thumbnails', 'mobile'] : ['thumbnails', 'mobile']
    case 'image':
      return ['image', 'copy']
    case 'audio':
      return ['audio']
    case 'document':
      return ['document']
  }
}

/** Seconds that a step is likely to take, for the person who waits. */
export function estimateSeconds(type: JobType, durationSeconds: number | null): number {
  const length = durationSeconds ?? 0
  switch (type) {
    case 'teaser':
      return 15
    case 'thumbnails':
    case 'image':
    case 'document':
      return 5
    case 'copy':
      return 10
    case 'mobile':
      return Math.max(10, Math.ceil(length / 4))
    case 'audio':
      return Math.max(3, Math.ceil(length / 30))
  }
}

/**
 * The larger comes first. Short work precedes long work, so that no picture waits for an hour of audio; among equals, the
 * variant that people see first.
 */
export function priorityOf(type: JobType, workSeconds: number): number {
  const byType = {
    teaser: 40,
    thumbnails: 30,
    image: 30,
    document: 30,
    copy: 25,
    audio: 20,
    mobile: 10,
  }[type]
  if (workSeconds <= 60) return 200 + byType
  return workSeconds <= 600 ? 100 + byType : byType
}

/** Films have a lane of their own, so that no other step waits behind them. */
export type StepLane = 'prepare' | 'compress'

export function laneOf(type: JobType): StepLane {
  return type === 'mobile' ? 'compress' : 'prepare'
}

const MINUTE_MS = 60_000
/** Less than `expireInSeconds` of the job, so that a run that the queue gives up is really over. */
const LONGEST_MS: Record<StepLane, number> = { prepare: 50 * MINUTE_MS, compress: 390 * MINUTE_MS }

/** Some minutes for a busy machine, and a tenth of the length of the file; three times the length for a film. */
export function longestRunMs(type: JobType, durationSeconds: number | null): number {
  const lane = laneOf(type)
  const lengthMs = (durationSeconds ?? 0) * 1_000
  const ownMs = lane === 'compress' ? 10 * MINUTE_MS + 3 * lengthMs : 5 * MINUTE_MS + lengthMs / 10
  return Math.min(Math.ceil(ownMs), LONGEST_MS[lane])
}

const STEP_ATTEMPTS = 4

/** Whether the step fails for its author to see when this attempt fails too. */
export function isLastAttempt({ attempts }: { attempts: number }): boolean {
  return attempts + 1 >= STEP_ATTEMPTS
}

/** Deploys and power cuts end workers too; a file that does it again and again gets no more of them. */
const LOST_RUNS = 6

/** Whether so many workers died during a step that it fails for its author to see. */
export function exceedsCrashLimit({ lostRuns }: { lostRuns: number }): boolean {
  return lostRuns >= LOST_RUNS
}

/** Whether no step is left to do. A failed step limits what a file can do, it does not spoil the file. */
export function areOver(steps: readonly { state: StepState }[]): boolean {
  return steps.every((step) => step.state !== 'processing')
}

/** All steps together, for the author. */
export interface Processing {
  status: 'none' | 'processing' | 'completed' | 'failed'
  progress: number
  error: string | null
}

export function summarize(steps: readonly { state: StepState; progress: number }[]): Processing {
  if (steps.length === 0) return { status: 'none', progress: 100, error: null }
  const done = steps.map((step) => (step.state === 'processing' ? step.progress : 100))
  const progress = Math.floor(done.reduce((sum, percent) => sum + percent, 0) / steps.length)
  if (!areOver(steps)) return { status: 'processing', progress, error: null }
  const failed = steps.filter((step) => step.state === 'failed').length
  if (failed === 0) return { status: 'completed', progress: 100, error: null }
  const error = `${failed} tâche(s) ont échoué. Les fonctionnalités peuvent être limitées.`
  return { status: 'failed', progress: 100, error }
}

/** Containers round a length to their own clock: an end this far beyond it is its end. */
const LENGTH_TOLERANCE_SECONDS = 0.25

/** The problem of a window, or undefined. Without a duration, only rules that need none are checked. */
export function validateTeaser(
  { startSeconds, endSeconds }: TeaserWindow,
  durationSeconds?: number,
): string | undefined {
  const isNumber = Number.isFinite(startSeconds) && Number.isFinite(endSeconds)
  if (!isNumber || startSeconds < 0) return 'L’extrait n’est pas valide'
  const length = endSeconds - startSeconds
  // Half a millisecond of grace: 10.3 - 9.3 is a little less than 1.
  if (length < TEASER_MIN_SECONDS - 0.0005) {
    return 'La fin de l’extrait doit être au moins 1\u00A0s après son début'
  }
  if (length > TEASER_MAX_SECONDS + 0.0005) return 'Le teaser dépasse la durée maximale autorisée'
  if (durationSeconds !== undefined && endSeconds > durationSeconds + LENGTH_TOLERANCE_SECONDS) {
    return 'L’extrait dépasse la fin de la vidéo'
  }
  return undefined
}

export function clampTeaser(window: TeaserWindow, durationSeconds: number): TeaserWindow {
  return { ...window, endSeconds: Math.min(window.endSeconds, durationSeconds) }
}

/** The window of an upload form: `teaserStart` and `teaserEnd`, or `teaserData` as `start|end`. */
export function parseTeaser(fields: {
  teaserStart?: string | undefined
  teaserEnd?: string | undefined
  teaserData?: string | undefined
}): TeaserWindow | undefined {
  const [dataStart, dataEnd] = (fields.teaserData ?? '').split('|')
  const start = fields.teaserStart || dataStart
  const end = fields.teaserEnd || dataEnd
  if (!start && !end) return undefined
  return { startSeconds: parseSeconds(start), endSeconds: parseSeconds(end) }
}

function parseSeconds(text: string | undefined): number {
  return text && /^\d{1,6}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : Number.NaN
}

export function isClaimable(media: { state: MediaState }): boolean {
  return media.state === 'received' || media.state === 'processing' || media.state === 'ready'
}

/** Memory that a variant may need while it is rendered, by the rates it is encoded at. */
export function estimateVariantBytes(type: JobType, durationSeconds: number): number {
  const byType: Partial<Record<JobType, number>> = { teaser: 2_800, mobile: 900, audio: 140 }
  const kilobitsPerSecond = byType[type] ?? 0
  return Math.ceil(kilobitsPerSecond * 125 * durationSeconds * 1.3) + 4 * 1024 * 1024
}

/** A film often begins in the dark: its picture is from a little later. */
export function posterSecond(durationSeconds: number): number {
  return Math.min(10, durationSeconds / 10)
}
