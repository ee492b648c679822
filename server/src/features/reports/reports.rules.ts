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

/** What a mail calls what was reported, what was examined for it, and « masqué » in its gender. */
export const NOUNS: Record<Noun, { one: string; examined: string; your: string; hidden: string }> =
  {
    revelation: {
      one: 'une révélation',
      examined: 'la révélation',
      your: 'votre révélation',
      hidden: 'masquée',
    },
    comment: {
      one: 'un commentaire',
      examined: 'le commentaire',
      your: 'votre commentaire',
      hidden: 'masqué',
    },
    profile: { one: 'un profil', examined: 'le profil', your: 'votre profil', hidden: 'masqué' },
    // What a mailbox holds stays there: what it was about is what may be hidden.
    mail: {
      one: 'un mail',
      examined: 'la révélation dont il parle',
      your: 'votre révélation',
      hidden: 'masquée',
    },
  }

/** Where to answer an operator: a mailbox of whichever site sends the mail, as on its pages. */
export function contactAddress(publicUrl: string): string {
  return `contact@${new URL(publicUrl).hostname}`
}
