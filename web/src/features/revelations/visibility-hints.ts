import { KIND_VISIBILITY, type Kind } from '#contract/kinds.ts'
import type { Visibility } from '#contract/revelations.ts'

interface VisibilityHints {
  /** Under the tiles: what the choice means. */
  hint: string
  /** In the recap: who sees what. */
  audience: string
  /** Who may watch a teaser before the instant. */
  teaser: { title: string; words: string }
}

export const VISIBILITY_HINTS: Record<Visibility, VisibilityHints> = {
  public: {
    hint: 'Tout le monde voit l’enveloppe dès maintenant, puis la lettre à la date.',
    audience: 'Tout le monde',
    teaser: {
      title: 'Ceci sera public\u202F:',
      words: 'tout le monde pourra regarder cet extrait dès maintenant.',
    },
  },
  friends: {
    hint: 'Vos amis et votre famille voient l’enveloppe dès maintenant, puis la lettre à la date.',
    audience: 'Vos amis et votre famille',
    teaser: {
      title: 'Ceci sera visible\u202F:',
      words: 'vos amis et votre famille pourront regarder cet extrait dès maintenant.',
    },
  },
  family: {
    hint: 'Votre Cercle Privé voit l’enveloppe dès maintenant, puis la lettre à la date.',
    audience: 'Votre Cercle Privé',
    teaser: {
      title: 'Ceci sera visible\u202F:',
      words: 'votre Cercle Privé pourra regarder cet extrait dès maintenant.',
    },
  },
  private: {
    hint: 'Sur le site, personne d’autre que vous ne la voit. Elle est livrée au destinataire à la date\u202F: avec votre propre adresse, c’est une capsule pour vous-même.',
    audience: 'Vous sur le site, et le destinataire à la date',
    teaser: {
      title: 'Ceci sera visible\u202F:',
      words: 'le destinataire, si vous le prévenez, pourra regarder cet extrait dès maintenant.',
    },
  },
}

/** What leaving the audience that goes with a kind means; undefined where it is not left. */
export function departureHint(kind: Kind | null, visibility: Visibility): string | undefined {
  if (kind === null || visibility === KIND_VISIBILITY[kind]) return undefined
  if (kind === 'letter' || kind === 'capsule') {
    return visibility === 'public'
      ? 'Tout le monde verra le titre dès maintenant, et lira la lettre le jour venu.'
      : undefined
  }
  const seen =
    visibility === 'private'
      ? 'Seuls vous et ceux que vous avez choisis'
      : `Seuls ${AMONG[visibility]}`
  return kind === 'prediction'
    ? 'Elle ne comptera pas dans votre bilan, et ne sera pas dans les prédictions.'
    : `${seen} la verront.`
}

const AMONG: Record<Exclude<Visibility, 'private'>, string> = {
  public: 'tous',
  friends: 'vos amis et votre famille',
  family: 'ceux de votre Cercle Privé',
}
