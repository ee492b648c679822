import type { PushMessage } from '#contract/push.ts'
import { typeset } from '#server/platform/mail/mail-content.ts'

/** How the reader stands to what opened. */
interface Reading {
  isAuthor: boolean
  isRecipient: boolean
}

interface Facts {
  id: string
  authorPseudo: string
}

/** What a locked screen may show to whoever holds the phone: as much as the subject of the mail, and no title. */
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
