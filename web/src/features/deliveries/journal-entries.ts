import {
  AtSign,
  BellRing,
  CalendarClock,
  CirclePause,
  Hourglass,
  Link2Off,
  type LucideIcon,
  MailCheck,
  MailOpen,
  MailWarning,
  RotateCw,
} from 'lucide-react'
import type { Delivery, DeliveryStep } from '#contract/deliveries.ts'

type Tone = 'good' | 'plain' | 'late' | 'wrong'

interface StepWords {
  words: string
  icon: LucideIcon
  tone: Tone
}

const STEPS: Record<DeliveryStep, StepWords> = {
  planned: { words: 'Programmé', icon: CalendarClock, tone: 'plain' },
  notified: { words: 'Destinataire prévenu', icon: BellRing, tone: 'good' },
  sent: { words: 'Envoyé', icon: MailCheck, tone: 'good' },
  delayed: { words: 'Retardé', icon: Hourglass, tone: 'late' },
  failed: { words: 'Échoué', icon: MailWarning, tone: 'wrong' },
  opened: { words: 'Ouvert', icon: MailOpen, tone: 'good' },
  readdressed: { words: 'Adresse changée', icon: AtSign, tone: 'plain' },
  resent: { words: 'Renvoyé', icon: RotateCw, tone: 'good' },
  revoked: { words: 'Lien désactivé', icon: Link2Off, tone: 'wrong' },
  suspended: { words: 'Suspendu', icon: CirclePause, tone: 'late' },
}

export interface JournalEntry extends StepWords {
  at: string | null
  reason: string | null
  /** It has not happened yet. */
  isAhead?: boolean
}

/** What happened to a delivery, the oldest first, then what is to come. */
export function entriesOf(delivery: Delivery, isSuspended: boolean): JournalEntry[] {
  const { journal, state, due_at, revoked_at } = delivery
  const past =
    journal.length > 0
      ? journal.map(({ step, at, reason }) => ({ ...STEPS[step], at, reason }))
      : entriesOfState(delivery)
  if (state !== 'planned' || isSuspended || revoked_at) return past
  const ahead = { ...STEPS.planned, words: 'Prévu', at: due_at, reason: null, isAhead: true }
  return [...past, ahead]
}

/** Of a delivery older than the journal, only where it stands is known. */
function entriesOfState({ state, sent_at, opened_at, error, notified_at }: Delivery) {
  const entries: JournalEntry[] = []
  const add = (step: DeliveryStep, at: string | null, reason: string | null = null) =>
    entries.push({ ...STEPS[step], at, reason })
  if (notified_at) add('notified', notified_at)
  if (state === 'planned' && error) add('delayed', null, error)
  if (state === 'failed') add('failed', null, error)
  if (sent_at) add('sent', sent_at)
  if (state === 'opened') add('opened', opened_at)
  return entries
}
