import type { PushMessage } from '#contract/push.ts'
import { typeset } from '#server/platform/mail/mail-content.ts'

/** What the reader is to the revelation that opened. */
interface Reading {
  isAuthor: boolean
  isRecipient: boolean
}

interface Facts {
  id: string
  authorPseudo: string
}

/** Shown on a locked screen, to whoever sees it: as much as the subject of the mail, and no title. */
export function revealMessage(facts: Facts, reading: Reading): PushMessage {
  const isOwn = reading.isAuthor && reading.isRecipient
  return {
    title: typeset(titleOf(facts, reading)),
    body: isOwn
      ? 'Elle attendait ce moment. Vous pouvez la lire.'
      : 'Le moment choisi est venu. Vous pouvez la lire.',
    path: `/revelation/${facts.id}`,
    tag: `devoilee/${facts.id}`,
  }
}

function titleOf({ authorPseudo }: Facts, { isAuthor, isRecipient }: Reading): string {
  const from = `@${authorPseudo}`
  if (isAuthor && isRecipient) return 'La révélation que vous vous étiez adressée est ouverte'
  if (isAuthor) return 'Votre révélation est ouverte'
  if (isRecipient) return `${from} vous a laissé une révélation : elle est ouverte`
  return `La révélation de ${from} est ouverte`
}
