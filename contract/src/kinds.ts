/** What an author seals it as: sets what a form begins with and its words, and says whether it is to be judged (behaviour.md 8.5). */
export const KINDS = ['letter', 'prediction', 'capsule', 'announcement'] as const
export type Kind = (typeof KINDS)[number]

/** Who sees a revelation whose author names its kind and no audience. */
export const KIND_VISIBILITY = {
  letter: 'private',
  prediction: 'public',
  capsule: 'private',
  announcement: 'public',
} as const satisfies Record<Kind, string>

/** How lists, mails and verifiers name a revelation of this kind: all nouns are feminine. */
export const KIND_NOUNS: Readonly<Record<Kind, KindNouns>> = {
  letter: { name: 'Lettre', many: 'Lettres', noun: 'lettre', the: 'la lettre' },
  prediction: {
    name: 'Prédiction',
    many: 'Prédictions',
    noun: 'prédiction',
    the: 'la prédiction',
  },
  capsule: { name: 'Capsule', many: 'Capsules', noun: 'capsule', the: 'la capsule' },
  announcement: { name: 'Annonce', many: 'Annonces', noun: 'annonce', the: 'l’annonce' },
}

interface KindNouns {
  name: string
  many: string
  noun: string
  the: string
}
