import type { ReportReason } from '#contract/reports.ts'

export const REASONS_IN_WORDS: Record<ReportReason, string> = {
  illegal: 'illegal content',
  harassment: 'harassment',
  privacy: 'private facts',
  minor: 'a minor in danger',
  impersonation: 'impersonation',
  spam: 'spam',
  other: 'something else',
}

type Noun = 'revelation' | 'comment' | 'profile' | 'mail'

/** What a mail calls it: with its article, and « masqué » in its gender. */
export const NOUNS: Record<Noun, { one: string; the: string; your: string; hidden: string }> = {
  revelation: {
    one: 'une révélation',
    the: 'la révélation',
    your: 'votre révélation',
    hidden: 'masquée',
  },
  comment: {
    one: 'un commentaire',
    the: 'le commentaire',
    your: 'votre commentaire',
    hidden: 'masqué',
  },
  profile: { one: 'un profil', the: 'le profil', your: 'votre profil', hidden: 'masqué' },
  mail: { one: 'un message', the: 'le message', your: 'votre message', hidden: 'masqué' },
}

/** Where to answer an operator: a mailbox of whichever site sends the mail, as on its pages. */
export function contactAddress(publicUrl: string): string {
  return `contact@${new URL(publicUrl).hostname}`
}
