import { JOB_TYPES, type UploadResult } from '#contract/media.ts'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { grantPreview } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { presentUpload } from './media.presenter.ts'
import { findMedia } from './media.repository.ts'
import { openFacts, openLetterKey } from './media-keys.service.ts'
import { listSteps } from './media-steps.repository.ts'
import { ticketedUrl } from './media-tickets.service.ts'
import type { ReceivedFile } from './media-uploads.service.ts'

/** A file of the actor's own that was received before, told as it was then. */
export async function getReceived(
  ctx: AppContext,
  actor: Actor,
  mediaId: string,
): Promise<ReceivedFile> {
  const media = await findMedia(ctx.db, mediaId)
  const right = media && grantPreview(actor.userId, media)
  if (!right) throw notFound()
  const { id, kind, extension } = media
  const steps = await listSteps(ctx.db, [id])
  steps.sort((one, other) => JOB_TYPES.indexOf(one.type) - JOB_TYPES.indexOf(other.type))
  return { id, kind, extension, facts: openFacts(openLetterKey(ctx, right, media), media), steps }
}

/** The upload result, with an address for whoever sent the file. */
export function answerReceived(
  ctx: AppContext,
  actor: Actor,
  received: ReceivedFile,
): UploadResult {
  const url = ticketedUrl(ctx, received, 'original', `session:${actor.sessionId}`)
  return presentUpload(received, url)
}
