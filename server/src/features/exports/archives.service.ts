import { Readable } from 'node:stream'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { findActiveActors, getUser } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { readOwnAvatar } from '#server/features/profiles/avatars.service.ts'
import { readOwnReplies, type WholeReply } from '#server/features/replies/own-replies.service.ts'
import { filesToArchive } from '#server/features/revelations/whole-letters.service.ts'
import { readOwnVoiceMessages } from '#server/features/voice-messages/voice-message-contents.service.ts'
import type { ZipArchive } from '#server/platform/archives/zip-archive.ts'
import { createArchiveFiles } from './archive-files.service.ts'
import { writePage } from './export-page.presenter.ts'
import type { ArchivedFile } from './exports.presenter.ts'
import { archivePath } from './exports.rules.ts'
import { readAnsweredLetters, writeJson } from './exports.service.ts'
import { addOwnProofs, addVerificationKit } from './verification-kit.service.ts'

/**
 * Everything of the actor’s own as files: first what they sent with the proofs, then the JSON and the page, which tell
 * which of them could not be read, then what the proofs are checked with, then the sums of all of it. It breaks off once
 * the session ended: it may take an hour.
 */
export async function fillArchive(
  ctx: AppContext,
  actor: Actor,
  archive: ZipArchive,
): Promise<void> {
  const now = ctx.now()
  const archiveFiles = createArchiveFiles(ctx, archive, requireSession)
  const files = new Map<string, ArchivedFile>()

  async function requireSession(): Promise<void> {
    const living = await findActiveActors(ctx, [actor.sessionId])
    if (living.size === 0) throw new AppError('unauthenticated')
  }

  async function addVoice({ reply, voice }: WholeReply): Promise<void> {
    if (reply.mediaId === null) return
    const path = archivePath(files.size + 1, voice?.name ?? '')
    const archived = voice && (await archiveFiles.addFile(path, voice, reply.createdAt))
    files.set(reply.mediaId, archived ?? { state: 'missing' })
  }

  for await (const letters of readAnsweredLetters(ctx, actor)) {
    for (const letter of letters) {
      for (const { mediaId, file } of filesToArchive(letter)) {
        const path = archivePath(files.size + 1, file?.name ?? '')
        const { createdAt } = letter.envelope
        const archived = file && (await archiveFiles.addFile(path, file, createdAt))
        files.set(mediaId, archived ?? { state: 'missing' })
      }
      for (const received of letter.replies) await addVoice(received)
    }
    await addOwnProofs(
      ctx,
      archiveFiles,
      actor,
      letters.map(({ envelope }) => envelope),
    )
  }
  for await (const replies of readOwnReplies(ctx, actor)) {
    for (const own of replies) await addVoice(own)
  }
  for await (const sounds of readOwnVoiceMessages(ctx, actor)) {
    for (const { voiceMessage, isSealed, file } of sounds) {
      const path = archivePath(files.size + 1, file?.name ?? '')
      const archived = file && (await archiveFiles.addFile(path, file, voiceMessage.createdAt))
      files.set(voiceMessage.mediaId, archived ?? { state: isSealed ? 'sealed' : 'missing' })
    }
  }
  const avatar = await readOwnAvatar(ctx, actor.userId).catch(() => undefined)
  if (avatar) await archiveFiles.add('photo-de-profil.webp', Readable.from([avatar]))
  await requireSession()
  await archiveFiles.addText('donnees.json', writeJson(ctx, actor, files))
  const user = await getUser(ctx, actor.userId)
  await archiveFiles.addText(
    'index.html',
    writePage({ user, now, hasAvatar: avatar !== undefined }, files, {
      letters: readAnsweredLetters(ctx, actor),
      replies: readOwnReplies(ctx, actor),
      sounds: readOwnVoiceMessages(ctx, actor),
    }),
  )
  await addVerificationKit(ctx, archiveFiles, { hasReceipts: true, hasCopies: false })
  await archiveFiles.end()
}
