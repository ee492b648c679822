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

/** How pages, mails and verifiers name a revelation of this kind: all nouns are feminine. */
export const KIND_NOUNS: Readonly<Record<Kind, KindNouns>> = {
  letter: nounsOf('Lettre', 'la lettre'),
  prediction: nounsOf('Prédiction', 'la prédiction'),
  capsule: nounsOf('Capsule', 'la capsule'),
  announcement: nounsOf('Annonce', 'l’annonce'),
}

interface KindNouns {
  /** « Lettre » */
  name: string
  /** « Lettres » */
  many: string
  /** « lettre » */
  noun: string
  /** « une lettre » */
  one: string
  /** « la lettre » */
  the: string
}

function nounsOf(name: string, the: string): KindNouns {
  const noun = name.toLowerCase()
  return { name, many: `${name}s`, noun, one: `une ${noun}`, the }
}
