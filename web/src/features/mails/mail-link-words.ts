import type { MailLink } from '#contract/mail-links.ts'

interface StopWords {
  /** Which mails the link is about. */
  mails: string
  /** Once they are stopped. */
  stopped: string
}

export const STOP_WORDS: Record<MailLink['stops'], StopWords> = {
  everything: {
    mails: 'Tout ce que d’autres scellent pour cette adresse\u00A0: annonces et lettres.',
    stopped: 'Plus aucune annonce ni aucune lettre ne part vers cette adresse.',
  },
  emailNotifications: {
    mails: 'Toutes les notifications de votre compte.',
    stopped: 'Plus aucune notification ne part vers cette adresse.',
  },
  newRevelations: {
    mails: 'Les nouvelles révélations de vos amis et de votre famille.',
    stopped: 'Les nouvelles révélations ne vous sont plus annoncées par mail.',
  },
  revelationRevealed: {
    mails: 'Les révélations qui viennent de s’ouvrir.',
    stopped: 'Les révélations qui s’ouvrent ne vous sont plus annoncées par mail.',
  },
  activity: {
    mails: 'Les nouveaux commentaires et les nouvelles réactions, sous vos révélations.',
    stopped: 'Commentaires et réactions ne vous sont plus annoncés par mail.',
  },
  newComments: {
    mails: 'Les nouveaux commentaires sous vos révélations.',
    stopped: 'Les nouveaux commentaires ne vous sont plus annoncés par mail.',
  },
  newReactions: {
    mails: 'Les nouvelles réactions à vos révélations.',
    stopped: 'Les nouvelles réactions ne vous sont plus annoncées par mail.',
  },
}
