import { instantInWords } from '#contract/date-in-words.ts'
import { receiptName } from '#contract/receipts.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { initialOf, oneLine } from '#server/platform/mail/mail-content.ts'
import { formatProof } from './proof.service.ts'
import type { Receipt } from './receipts.service.ts'

interface Letter extends Pick<EnvelopeRow, 'id' | 'title' | 'timeZone'> {
  page: string
}

/** To the author who asked for it: the receipt as a file, with nothing of the letter in it. */
export function receiptEmail(
  author: { email: string; pseudo: string },
  { id, title, timeZone, page }: Letter,
  { proof, index, checkpoint }: Receipt,
): ComposedMail {
  const file = {
    filename: receiptName(id),
    contentType: 'application/json',
    content: formatProof(proof),
  }
  return {
    to: author.email,
    stops: 'nothing',
    receipt: { file, checkpoint },
    subject: 'Le reçu de votre lettre scellée',
    preview: 'Il est joint à cet e-mail. Gardez-le.',
    sky: 'night',
    initial: initialOf(author.pseudo),
    heading: 'Voici votre reçu',
    blocks: [
      {
        kind: 'text',
        text: 'Vous avez demandé le reçu de cette lettre : il est joint à cet e-mail. Gardez-le : il montre, même sans nous, qu’elle est inscrite à notre journal public.',
      },
      {
        kind: 'envelope',
        title: oneLine(title),
        lines: [
          `Inscrite au journal le ${instantInWords(checkpoint.signedAt, timeZone)}`,
          `Inscription n°\u00A0${index + 1}`,
        ],
      },
      {
        kind: 'text',
        text: 'La date est celle que le site a écrite. Le texte de la lettre n’est pas dans ce fichier, comme dans aucun e-mail : celui qui se télécharge sur sa page le contient.',
      },
      { kind: 'button', label: 'Voir la lettre', url: page },
    ],
    footer: ['Vous recevez cet e-mail parce que vous avez demandé ce reçu.'],
  }
}
