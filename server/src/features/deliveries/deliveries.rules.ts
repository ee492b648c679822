const TRYING_FOR_MS = 3 * 24 * 3_600_000

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

type Failure = 'bad_address' | 'refused' | 'unreachable' | 'unexpected'

/** An address that does not exist will not exist tomorrow; for anything else, three days from the first try. */
export function isLastTry(failure: Failure, firstTriedAt: Date, now: Date): boolean {
  return failure === 'bad_address' || now.getTime() - firstTriedAt.getTime() >= TRYING_FOR_MS
}

const REASONS: Record<Failure, string> = {
  bad_address: 'L’adresse du destinataire n’existe pas ou n’existe plus.',
  refused: 'Le serveur de messagerie a refusé le message.',
  unreachable: 'Le serveur de messagerie n’a pas répondu.',
  unexpected: 'Le message n’a pas pu être envoyé.',
}

/** What the author reads in the journal of the delivery. */
export function reasonInWords(failure: Failure, isLast: boolean): string {
  if (failure === 'bad_address') return REASONS.bad_address
  return `${REASONS[failure]} ${isLast ? 'Trois jours d’essais n’y ont rien changé.' : 'Un nouvel essai suivra.'}`
}
