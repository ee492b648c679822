import type { Failure } from '#server/features/mails/mails.rules.ts'

interface Notice {
  revealAt: Date
  notifiedAt: Date | null
  targetEmailKey: string
  authorEmailKey: string
}

/** Once, before the instant, and never to oneself. */
export function shouldNotify(delivery: Notice, now: Date): boolean {
  return (
    delivery.notifiedAt === null &&
    now.getTime() < delivery.revealAt.getTime() &&
    delivery.targetEmailKey !== delivery.authorEmailKey
  )
}

const REASONS: Record<Failure, string> = {
  bad_address: 'L’adresse du destinataire n’existe pas ou n’existe plus.',
  refused: 'Le serveur de messagerie a refusé le message.',
  unreachable: 'Le serveur de messagerie n’a pas répondu.',
  unexpected: 'Le message n’a pas pu être envoyé.',
  suppressed:
    'La personne qui lit cette adresse ne souhaite plus recevoir de messages de Révélations.',
}

/** What the author reads in the journal of the delivery. */
export function reasonInWords(failure: Failure, isLast: boolean): string {
  if (failure === 'bad_address' || failure === 'suppressed') return REASONS[failure]
  return `${REASONS[failure]} ${isLast ? 'Trois jours d’essais n’y ont rien changé.' : 'Un nouvel essai suivra.'}`
}
