import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { type ReadableLetter, requireReadable } from '#server/features/access/media-gate.service.ts'
import {
  filesToArchive,
  hasCopies,
  openWhole,
} from '#server/features/revelations/whole-letters.service.ts'
import type { ZipArchive } from '#server/platform/archives/zip-archive.ts'
import { parseTicket, signTicket } from '#server/platform/sealing/tickets.ts'
import { createArchiveFiles } from './archive-files.service.ts'
import type { ArchivedFile } from './exports.presenter.ts'
import { archivePath } from './exports.rules.ts'
import { LINK_MS } from './exports.service.ts'
import { writeLetterPage, writeLetterText } from './letter-page.presenter.ts'
import { addProof, addVerificationKit } from './verification-kit.service.ts'

/**
 * A letter as files: what was sent with it, page and text, the proof and what it is checked with, and the sums of all of
 * it. It breaks off once its reader may read it no more.
 */
export async function fillLetterArchive(
  ctx: AppContext,
  holder: string,
  readable: ReadableLetter,
  archive: ZipArchive,
): Promise<void> {
  const { envelope, relation, right } = readable
  const [whole] = await openWhole(ctx, right, [envelope])
  if (!whole) throw new Error(`No letter in revelation ${envelope.id}`)
  const requireRight = () => requireReadable(ctx, holder, envelope.id)
  const archiveFiles = createArchiveFiles(ctx, archive, requireRight)
  const files = new Map<string, ArchivedFile>()
  for (const { mediaId, file } of filesToArchive(whole)) {
    const path = archivePath(files.size + 1, file?.name ?? '', file?.isSealed)
    const archived = file && (await archiveFiles.addFile(path, file, envelope.createdAt))
    files.set(mediaId, archived ?? { state: 'missing' })
  }
  await requireRight()
  const letter = { ...whole, relation }
  await archiveFiles.addText('lettre.html', [writeLetterPage(letter, files)])
  await archiveFiles.addText('lettre.txt', [writeLetterText(letter, files)])
  await addProof(ctx, archiveFiles, readable, right)
  const about = { hasReceipts: relation.isAuthor, hasCopies: hasCopies(whole) }
  await addVerificationKit(ctx, archiveFiles, about)
  await archiveFiles.end()
}

const VARIANT = 'archive'

/** An address for a browser, which sends no header when it saves a file: for this reader, for ten minutes. */
export function letterLinkFor(ctx: AppContext, holder: string, id: string): string {
  const expiresAt = new Date(ctx.now().getTime() + LINK_MS)
  const ticket = { item: id, variant: VARIANT, holder, expiresAt }
  return `/api/revelations/${id}/archive?token=${signTicket(secretOf(ctx), ticket)}`
}

/** Whose letter an address downloads; `ticket_expired` unless it is unexpired and of this very letter. */
export function holderOfLink(ctx: AppContext, text: string, id: string): string {
  const ticket = parseTicket(secretOf(ctx), text)
  const isRight = ticket?.variant === VARIANT && ticket.item === id
  if (!isRight || ticket.expiresAt <= ctx.now()) throw new AppError('ticket_expired')
  return ticket.holder
}

function secretOf(ctx: AppContext): Buffer {
  return ctx.keyring.secretFor('letter-archives')
}
