import { Readable } from 'node:stream'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { findActiveActors, getUser } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { Original } from '#server/features/media/file-views.service.ts'
import { readOwnAvatar } from '#server/features/profiles/avatars.service.ts'
import { readOwnReplies, type WholeReply } from '#server/features/replies/own-replies.service.ts'
import { readOwnVoiceMessages } from '#server/features/voice-messages/voice-message-contents.service.ts'
import type { ZipArchive } from '#server/platform/archives/zip-archive.ts'
import { writePage } from './export-page.presenter.ts'
import type { ArchivedFile } from './exports.presenter.ts'
import { archivePath } from './exports.rules.ts'
import { readAnsweredLetters, writeJson } from './exports.service.ts'

/**
 * Everything of the actor’s own as files: first what they sent, then the JSON and the page, which tell which of them
 * could not be read, then the sums of all of it. It breaks off once the session ended: it may take an hour.
 */
export async function fillArchive(
  ctx: AppContext,
  actor: Actor,
  archive: ZipArchive,
): Promise<void> {
  const now = ctx.now()
  const sums: string[] = []
  const files = new Map<string, ArchivedFile>()

  async function add(path: string, bytes: Readable, modifiedAt = now) {
    const archived = await archive.add(path, bytes, modifiedAt)
    // The sum of a part is the sum of nothing that somebody has.
    if (!archived.failure) sums.push(`${archived.sha256}  ${path}\n`)
    return archived
  }

  async function requireSession(): Promise<void> {
    const living = await findActiveActors(ctx, [actor.sessionId])
    if (living.size === 0) throw new AppError('unauthenticated')
  }

  async function addFile(file: Original, path: string, sealedAt: Date): Promise<ArchivedFile> {
    await requireSession()
    try {
      const { failure, sha256 } = await add(path, await file.read(), sealedAt)
      if (!failure) return { state: 'whole', path, sha256 }
      ctx.log.error({ mediaId: file.mediaId, err: failure }, 'a file breaks off in an export')
      return { state: 'incomplete', path, sha256 }
    } catch (error) {
      if (archive.output.destroyed) throw error
      ctx.log.error({ mediaId: file.mediaId, err: error }, 'a file is missing in an export')
      return { state: 'missing' }
    }
  }

  async function addVoice({ reply, voice }: WholeReply): Promise<void> {
    if (reply.mediaId === null) return
    const path = archivePath(files.size + 1, voice?.name ?? '')
    const archived = voice && (await addFile(voice, path, reply.createdAt))
    files.set(reply.mediaId, archived ?? { state: 'missing' })
  }

  for await (const letters of readAnsweredLetters(ctx, actor)) {
    for (const { envelope, file, sealVoice, replies } of letters) {
      for (const [mediaId, sent] of [
        [envelope.mediaId, file],
        [envelope.sealVoiceId, sealVoice?.file],
      ] as const) {
        if (mediaId === null) continue
        const path = archivePath(files.size + 1, sent?.name ?? '')
        const archived = sent && (await addFile(sent, path, envelope.createdAt))
        files.set(mediaId, archived ?? { state: 'missing' })
      }
      for (const received of replies) await addVoice(received)
    }
  }
  for await (const replies of readOwnReplies(ctx, actor)) {
    for (const own of replies) await addVoice(own)
  }
  for await (const sounds of readOwnVoiceMessages(ctx, actor)) {
    for (const { voiceMessage, isSealed, file } of sounds) {
      const path = archivePath(files.size + 1, file?.name ?? '')
      const archived = file && (await addFile(file, path, voiceMessage.createdAt))
      files.set(voiceMessage.mediaId, archived ?? { state: isSealed ? 'sealed' : 'missing' })
    }
  }
  const avatar = await readOwnAvatar(ctx, actor.userId).catch(() => undefined)
  if (avatar) await add('photo-de-profil.webp', Readable.from([avatar]))
  await requireSession()
  await add('donnees.json', textOf(writeJson(ctx, actor, files)))
  const user = await getUser(ctx, actor.userId)
  await add(
    'index.html',
    textOf(
      writePage({ user, now, hasAvatar: avatar !== undefined }, files, {
        letters: readAnsweredLetters(ctx, actor),
        replies: readOwnReplies(ctx, actor),
        sounds: readOwnVoiceMessages(ctx, actor),
      }),
    ),
  )
  await archive.add('SHA256SUMS', Readable.from(sums.map((line) => Buffer.from(line))), now)
  archive.end()
}

function textOf(pieces: AsyncIterable<string>): Readable {
  return Readable.from(inBytes(pieces))
}

async function* inBytes(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece)
}
