import { type EditRevelationInput, SEAL_VOICE_MAX_SECONDS } from '#contract/sealing.ts'
import type { AppContext } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { fileIdIn } from '#server/features/media/file-names.rules.ts'
import {
  claimMedia,
  type RecordingLimits,
  requireRecording,
} from '#server/features/media/media.service.ts'

/** The voice that plays as the seal of a letter breaks (behaviour.md 4.7): its file, and its words as they were typed. */
export interface SealVoice {
  mediaId: string | null
  words: string | null
}

type SealVoiceInput = Pick<EditRevelationInput, 'seal_voice' | 'seal_voice_words'>

/** Claims the voice of a new letter, if it has one; refuses `seal_voice` and `seal_voice_words` by name. */
export async function claimSealVoice(
  tx: AppContext,
  actor: Actor,
  { seal_voice, seal_voice_words }: SealVoiceInput,
): Promise<SealVoice> {
  const mediaId = seal_voice ? await claimVoice(tx, actor, seal_voice) : null
  return { mediaId, words: wordsFor(mediaId, seal_voice_words, null) }
}

const LIMITS: RecordingLimits = {
  maxSeconds: SEAL_VOICE_MAX_SECONDS,
  // More than these seconds take in any format: readers load it whole.
  maxBytes: 5 * 1024 * 1024,
  tooLong: `Cette voix est trop longue\u202F: ${SEAL_VOICE_MAX_SECONDS}\u00A0secondes au plus`,
  tooHeavy: 'Cette voix est trop lourde\u202F: 5\u00A0Mo au plus',
}

async function claimVoice(tx: AppContext, actor: Actor, url: string): Promise<string> {
  const claimed = await claimMedia(tx, actor, url, 'seal_voice')
  requireRecording(claimed, 'seal_voice', LIMITS)
  return claimed.mediaId
}

/** Words stand for a voice: they go with it, and are refused without one. */
function wordsFor(
  mediaId: string | null,
  typed: string | null | undefined,
  stored: string | null,
): string | null {
  if (mediaId !== null) return typed === undefined ? stored : typed || null
  if (typed) throw fieldError('seal_voice_words', 'Enregistrez d’abord votre voix')
  return null
}

function isSameVoice({ sealVoiceId }: EnvelopeRow, { seal_voice }: SealVoiceInput): boolean {
  if (seal_voice === undefined) return true
  if (!seal_voice) return sealVoiceId === null
  return fileIdIn(seal_voice) === sealVoiceId
}

/** Whether an edit asks for another voice, or for other words of it. */
export function changesSealVoice(
  envelope: EnvelopeRow,
  storedWords: string | null,
  input: SealVoiceInput,
): boolean {
  const { seal_voice_words: typed } = input
  return !isSameVoice(envelope, input) || (typed !== undefined && (typed || null) !== storedWords)
}

/** The voice after an edit: the same, none or another; `releasedId` is the file that nothing uses any more. */
export async function replaceSealVoice(
  tx: AppContext,
  actor: Actor,
  envelope: EnvelopeRow,
  storedWords: string | null,
  input: SealVoiceInput,
): Promise<SealVoice & { releasedId: string | null }> {
  const isReplaced = !isSameVoice(envelope, input)
  const claimed = isReplaced && input.seal_voice && (await claimVoice(tx, actor, input.seal_voice))
  const mediaId = isReplaced ? claimed || null : envelope.sealVoiceId
  return {
    mediaId,
    words: wordsFor(mediaId, input.seal_voice_words, storedWords),
    releasedId: isReplaced ? envelope.sealVoiceId : null,
  }
}
