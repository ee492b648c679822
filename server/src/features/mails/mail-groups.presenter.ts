import { oneLine } from '#server/platform/mail/mail-words.ts'
import type { ComposedMail } from './mails.service.ts'

/** What is said once, of one thing or of several; `reportable` is what somebody else wrote, by the title it goes under. */
type OneMail = Omit<ComposedMail, 'revelationId'> & {
  reportable: readonly { revelationId: string; title: string | undefined }[]
}

/** Mails to one address as one: each says in a line what it is, shows what it is about, and keeps its own link. */
export function asOne(mails: readonly ComposedMail[]): OneMail {
  const [first] = mails
  if (!first) throw new Error('There is nothing to send')
  const { revelationId, ...alone } = first
  if (mails.length === 1) {
    return { ...alone, reportable: revelationId ? [{ revelationId, title: undefined }] : [] }
  }
  return {
    ...alone,
    stops: mails.every(({ stops }) => stops === first.stops) ? first.stops : 'everything',
    subject: `${mails.length} nouvelles de Révélations, en un seul mail`,
    preview: mails.map(({ subject }) => subject).join(' · '),
    heading: `${mails.length} choses à la fois`,
    blocks: mails.flatMap(({ subject, blocks }) => [
      { kind: 'text' as const, text: subject },
      ...blocks.filter(({ kind }) => kind === 'envelope' || kind === 'list' || kind === 'button'),
    ]),
    footer: [
      'Plusieurs mails vous attendaient\u00A0: les voici ensemble, pour ne pas remplir votre boîte.',
      ...new Set(mails.flatMap(({ footer }) => footer)),
    ],
    reportable: mails.flatMap(({ revelationId: id, blocks, subject }) => {
      const envelope = blocks.find((block) => block.kind === 'envelope')
      return id ? [{ revelationId: id, title: oneLine(envelope?.title ?? subject) }] : []
    }),
  }
}
