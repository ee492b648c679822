import type { ReactNode } from 'react'
import { entriesInWords } from '#contract/proofs/facts-in-words.ts'
import { formatProvedInstant } from '#web/features/proofs/proved-instant.ts'
import { counted } from '#web/lib/format.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { Comparison, Outcome } from './compare-with-log.ts'

/** What became of each pasted checkpoint, in words that say what was compared. */
export function Comparisons({ comparisons }: { comparisons: readonly Comparison[] }) {
  if (comparisons.length === 0) {
    return (
      <Notice tone="warning" title="Aucun point de contrôle dans ce texte.">
        Copiez tout le fichier preuve.txt, de sa première ligne à la signature.
      </Notice>
    )
  }
  return comparisons.map((comparison, at) => {
    const { tone, title, sentence } = COMPARISONS[comparison.outcome]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are shown anew as a whole
      <Notice key={at} tone={tone} title={title(comparison)}>
        {sentence(comparison)}
        {comparison.replacedAt && (
          <p className="mt-1">
            Il porte une ancienne clé du journal, remplacée le{' '}
            {formatProvedInstant(comparison.replacedAt)}&#8239;; la nouvelle l’a reconnue.
          </p>
        )}
        {!comparison.isStored && (
          <p className="mt-1">
            Ce navigateur ne peut rien garder&#8239;: la prochaine visite ne pourra pas comparer.
          </p>
        )}
      </Notice>
    )
  })
}

interface ComparisonText {
  tone: 'success' | 'error' | 'warning'
  title: (comparison: Comparison) => string
  sentence: (comparison: Comparison) => ReactNode
}

const COMPARISONS: Readonly<Record<Outcome, ComparisonText>> = {
  contained: {
    tone: 'success',
    title: ({ sizes: { pasted } = { pasted: 0 } }) =>
      pasted === 1
        ? 'L’inscription de ce point de contrôle est toujours au journal, inchangée.'
        : `Les ${entriesInWords(pasted)} de ce point de contrôle sont toujours au journal, inchangées.`,
    sentence: ({ sizes: { pasted, compared } = { pasted: 0, compared: 0 } }) =>
      compared > pasted
        ? `Votre navigateur a recalculé qu’elles sont le début du journal signé de ${entriesInWords(compared)}\u202F; ${laterOnes(compared - pasted)}.`
        : 'Votre navigateur a recalculé que les deux états signés sont le même. Il n’a lu aucune lettre.',
  },
  contradicted: {
    tone: 'error',
    title: () => 'Ces deux points de contrôle ne peuvent pas appartenir au même journal.',
    sentence: ({ sizes }) => (
      <>
        Tous deux sont signés, mais le journal ne montre pas que l’un prolonge l’autre&#8239;: son
        passé a été réécrit. Gardez cet e-mail.
        {sizes && sizes.pasted > sizes.compared && (
          <p className="mt-1 text-ink-soft">
            {entriesInWords(sizes.pasted)} alors, {entriesInWords(sizes.compared)} aujourd’hui.
          </p>
        )}
      </>
    ),
  },
  not_signed: {
    tone: 'error',
    title: () => 'Ce point de contrôle ne porte pas la signature du journal.',
    sentence: () =>
      'Il a été modifié, copié en partie, ou vient d’un autre journal. Ce navigateur ne le garde pas.',
  },
  signed_later: {
    tone: 'error',
    title: () => 'Cette ancienne clé a signé après avoir été remplacée.',
    sentence: () => 'Ce point de contrôle ne dit rien du journal. Ce navigateur ne le garde pas.',
  },
  unanswered: {
    tone: 'warning',
    title: () => 'Le journal n’a pas répondu.',
    sentence: () =>
      'Ce point de contrôle est bien signé, et gardé ici\u202F; ce qui le relie à ceux déjà gardés n’a pas pu être demandé. La prochaine visite le demandera.',
  },
}

function laterOnes(count: number): string {
  return counted(
    count,
    'inscription faite depuis n’est pas comparée',
    'inscriptions faites depuis ne sont pas comparées',
  )
}
