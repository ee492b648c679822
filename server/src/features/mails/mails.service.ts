import { type AppContext, inBatches } from '#server/context.ts'
import type { CheckpointRow } from '#server/features/proofs/log.service.ts'
import type { Attachment } from '#server/platform/mail/mail.ts'
import { type MailContent, oneLine } from '#server/platform/mail/mail-content.ts'
import { deleteDoneMails, type QueuedMail } from '#server/platform/mail/mail-queue.ts'
import type { Failure, MailClass, Postponement, Stops } from './mails.rules.ts'

/** A mail as its feature composes it; headers, footer links and the frame are added to every mail alike. */
export interface ComposedMail extends Omit<MailContent, 'publicUrl'> {
  to: string
  /** Who causes the mail, and where they read answers if they want any: the sender is them, through the product. */
  person?: { name: string; replyTo?: string | undefined }
  /** The last signed checkpoint of the log goes with it as a file: each mailbox that has one is a witness. */
  isWitness?: boolean
  /** A file that one of the checkpoints proves; that one goes with it instead of the last. */
  receipt?: { file: Attachment; checkpoint: CheckpointRow }
  stops: Stops
  /** The revelation of another person, which the reader may report. */
  revelationId?: string
}

export type MailOutcome =
  /** `witness`: to which address it went, and the size of the log in the checkpoint that went with it. */
  | { state: 'sent'; at: Date; witness?: { to: string; size: number } | undefined }
  | { state: 'delayed' | 'failed'; failure: Failure; at: Date }

/** Thrown for a mail queued by a machine whose clock is ahead of this one’s: it is tried again, and counts as no try. */
export class TooEarly extends Error {
  override name = 'TooEarly'
}

/** One kind of mail. */
export interface MailTemplate {
  name: string
  /** What it is counted with, `news` by default; `links`: it was counted when the link was created. */
  mailClass?: MailClass | 'links'
  /** Returns undefined when the reason of the mail is gone: the mail is deleted. Throws `TooEarly` before its time. */
  compose(tx: AppContext, mail: QueuedMail): Promise<ComposedMail | undefined>
  onOutcome?(tx: AppContext, mail: QueuedMail, outcome: MailOutcome): Promise<void>
  /** Called when the mail waits to leave with others. */
  onPostponed?(tx: AppContext, mail: QueuedMail, postponement: Postponement): Promise<void>
}

/** The same for every try, and enough to find a mail again. */
export function messageIdOf({ config }: Pick<AppContext, 'config'>, mailId: string): string {
  return `<${mailId}@${new URL(config.http.publicUrl).hostname}>`
}

/** One mail, or several that leave as one; `reportable`: what others wrote in it, by title where it is several. */
type MergedMail = Omit<ComposedMail, 'revelationId' | 'person' | 'isWitness' | 'receipt'> & {
  person?: ComposedMail['person'] | undefined
  reportable: readonly { revelationId: string; title: string | undefined }[]
}

/** Merges mails to one address: each in a line, with what it is about and its own link. */
export function mergeMails(mails: readonly ComposedMail[]): MergedMail {
  const [first] = mails
  if (!first) throw new Error('There is nothing to send')
  const { revelationId, isWitness: _, receipt: __, ...alone } = first
  if (mails.length === 1) {
    return { ...alone, reportable: revelationId ? [{ revelationId, title: undefined }] : [] }
  }
  return {
    ...alone,
    person: isFromOne(mails) ? first.person : undefined,
    stops: mails.every(({ stops }) => stops === first.stops) ? first.stops : 'everything',
    subject: `${mails.length} nouvelles de Révélations, en un seul e-mail`,
    preview: mails.map(({ subject }) => subject).join(' · '),
    heading: `${mails.length} choses à la fois`,
    blocks: mails.flatMap(({ subject, blocks }) => [
      { kind: 'text' as const, text: subject },
      ...blocks.filter(
        ({ kind }) =>
          kind === 'envelope' || kind === 'list' || kind === 'note' || kind === 'button',
      ),
    ]),
    footer: [
      'Plusieurs e-mails vous attendaient\u202F: les voici ensemble, pour ne pas remplir votre boîte.',
      ...new Set(mails.flatMap(({ footer }) => footer)),
    ],
    reportable: mails.flatMap(({ revelationId: id, blocks, subject }) => {
      const envelope = blocks.find((block) => block.kind === 'envelope')
      return id ? [{ revelationId: id, title: oneLine(envelope?.title ?? subject) }] : []
    }),
  }
}

function isFromOne(mails: readonly ComposedMail[]): boolean {
  const [first] = mails
  return mails.every(
    ({ person }) =>
      person?.name === first?.person?.name && person?.replyTo === first?.person?.replyTo,
  )
}

/** The proof that leaves with a mail: nobody has to read it, and the page that checks it takes it as it is. */
export function proofFile(
  checkpoints: readonly Pick<CheckpointRow, 'logKey' | 'note'>[],
  publicUrl: string,
): Attachment {
  const about = `Point de contrôle du journal des scellés\u202F: qui garde ce fichier peut vérifier que rien de ce qu’il couvre n’a été réécrit, sur ${publicUrl}/preuve`
  return {
    filename: 'preuve.txt',
    contentType: 'text/plain; charset=utf-8',
    content: [
      about,
      ...checkpoints.map(({ logKey, note }) => `Clé du journal\u202F: ${logKey}\n\n${note}`),
    ].join('\n\n'),
  }
}

const DONE_FOR_MS = 90 * 24 * 3_600_000
const BATCH_SIZE = 1_000

/** Deletes mails done long ago, but not those that carry a delivery: a bounce names its mail. */
export async function deleteOldMails(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - DONE_FOR_MS)
  await inBatches(ctx, BATCH_SIZE, (tx) => deleteDoneMails(tx.db, before, BATCH_SIZE))
}
