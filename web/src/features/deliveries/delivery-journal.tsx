import {
  AtSign,
  BellRing,
  CalendarClock,
  ChevronDown,
  CirclePause,
  HandHeart,
  Hourglass,
  Link2Off,
  type LucideIcon,
  MailCheck,
  MailOpen,
  MailWarning,
  RotateCw,
} from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Delivery, DeliveryStep } from '#contract/deliveries.ts'
import type { OwnRevelation } from '#contract/revelations.ts'
import { formatShortInstant } from '#web/lib/dates.ts'
import { counted, formatList } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { DeliveryActions } from './delivery-actions.tsx'

interface DeliveryJournalProps {
  revelation: OwnRevelation
  /** Below an open letter: folded, unless an address failed or the address of the page names it. */
  isFolded?: boolean
  isNamed?: boolean
}

/** The state of the delivery to each person, and its actions. */
export function DeliveryJournal({
  revelation,
  isFolded = false,
  isNamed = false,
}: DeliveryJournalProps) {
  const { deliveries, delivery, is_suspended } = revelation
  const headingId = useId()
  const isSeveral = deliveries.length > 1
  const each = (
    <>
      {isSeveral ? (
        <DeliveryList revelation={revelation} />
      ) : (
        <OneDelivery revelation={revelation} delivery={delivery} />
      )}
      <MailNotes revelation={revelation} />
    </>
  )
  if (isFolded) {
    const failed = deliveries.find(({ state }) => state === 'failed')
    const { label, tone } = standing(failed ?? delivery, is_suspended)
    return (
      <Disclosure
        title="Livraison"
        summary={
          <Badge tone={tone}>
            {isSeveral ? countedStates(deliveries, is_suspended)[0] : label}
          </Badge>
        }
        defaultOpen={failed !== undefined || isNamed}
      >
        {each}
      </Disclosure>
    )
  }
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h2 id={headingId} className="text-xl">
        Livraison
      </h2>
      {each}
    </section>
  )
}

/** What its author added to the mails: nothing else on the site shows it, once it can be edited no more. */
function MailNotes({ revelation }: { revelation: OwnRevelation }) {
  const notes = [
    { term: 'Votre mot pour prévenir', words: revelation.announcement_note },
    { term: 'Votre mot pour l’ouverture', words: revelation.opening_note },
  ].filter(({ words }) => words)
  if (notes.length === 0) return null
  return (
    <dl className="mt-1 flex flex-col gap-3">
      {notes.map(({ term, words }) => (
        <div key={term}>
          <dt className="text-ink-soft text-sm">{term}</dt>
          <dd className="whitespace-pre-line font-serif [overflow-wrap:anywhere]">{words}</dd>
        </div>
      ))}
    </dl>
  )
}

interface OneDeliveryProps {
  revelation: OwnRevelation
  delivery: Delivery
}

function OneDelivery({ revelation, delivery }: OneDeliveryProps) {
  const { address, name } = delivery
  const heading = useRef<HTMLHeadingElement>(null)
  const { label, tone } = standing(delivery, revelation.is_suspended)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <h3
          ref={heading}
          tabIndex={-1}
          className="min-w-0 font-normal font-sans text-base leading-snug tracking-normal [overflow-wrap:anywhere]"
        >
          à <span className="font-semibold">{name ?? address}</span>
          {name && <span className="block text-ink-soft text-sm">{address}</span>}
        </h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <DeliveryDetails
        revelation={revelation}
        delivery={delivery}
        returnTo={() => heading.current}
      />
    </div>
  )
}

interface DeliveryDetailsProps extends OneDeliveryProps {
  /** What gets the focus once the button of an action is gone. */
  returnTo: () => HTMLElement | null
}

function DeliveryDetails({ revelation, delivery, returnTo }: DeliveryDetailsProps) {
  return (
    <>
      <DeliveryTimeline
        delivery={delivery}
        timeZone={revelation.time_zone}
        isSuspended={revelation.is_suspended}
      />
      <DeliveryActions revelation={revelation} delivery={delivery} returnTo={returnTo} />
    </>
  )
}

/** A line for each person, folded. What had failed when the page came stands first, and no line moves after that. */
function DeliveryList({ revelation }: { revelation: OwnRevelation }) {
  const { deliveries, is_suspended } = revelation
  const [failedIds] = useState(() => idsOfFailed(deliveries))
  const sorted = deliveries.toSorted(
    (a, b) => Number(failedIds.has(b.id)) - Number(failedIds.has(a.id)),
  )
  return (
    <div className="flex flex-col gap-2">
      <p className="text-ink-soft">
        {counted(deliveries.length, 'personne', 'personnes')}&#8239;:{' '}
        {formatList(countedStates(deliveries, is_suspended))}.
      </p>
      <ul className="divide-y divide-line border-line border-y">
        {sorted.map((delivery) => (
          <li key={delivery.id}>
            <DeliveryLine revelation={revelation} delivery={delivery} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function idsOfFailed(deliveries: readonly Delivery[]): ReadonlySet<string> {
  return new Set(deliveries.filter(({ state }) => state === 'failed').map(({ id }) => id))
}

function DeliveryLine({ revelation, delivery }: OneDeliveryProps) {
  const { address, name } = delivery
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { label, tone } = standing(delivery, revelation.is_suspended)
  return (
    <>
      <h3 className="font-normal font-sans text-base tracking-normal">
        <button
          ref={button}
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="-mx-2 flex min-h-12 w-[calc(100%+1rem)] flex-wrap items-center gap-x-3 gap-y-1 rounded-field px-2 py-1.5 text-left hover:bg-sunken"
        >
          <span className="min-w-0 flex-1 basis-24 leading-snug [overflow-wrap:anywhere]">
            <span className="font-semibold">{name ?? <EmailAddress>{address}</EmailAddress>}</span>
            {name && (
              <span className="block text-ink-soft text-sm">
                <EmailAddress>{address}</EmailAddress>
              </span>
            )}
          </span>{' '}
          <span className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
            <Badge tone={tone}>{label}</Badge>
            <ChevronDown
              aria-hidden="true"
              className={classNames(
                'size-5 shrink-0 transition-transform duration-200',
                isOpen && 'rotate-180',
              )}
            />
          </span>
        </button>
      </h3>
      <div id={id} hidden={!isOpen} className="pt-2 pb-5">
        {isOpen && (
          <div className="flex flex-col gap-3">
            <DeliveryDetails
              revelation={revelation}
              delivery={delivery}
              returnTo={() => button.current}
            />
          </div>
        )}
      </div>
    </>
  )
}

/** How many are in each state, what needs its author first: « 2 échoués », « 3 ouverts ». */
function countedStates(deliveries: readonly Delivery[], isSuspended: boolean): string[] {
  const labels = deliveries.map((delivery) => standing(delivery, isSuspended).label)
  return COUNTED.flatMap(([label, many]) => {
    const count = labels.filter((one) => one === label).length
    return count > 0 ? [counted(count, label.toLowerCase(), many)] : []
  })
}

const COUNTED = [
  ['Échoué', 'échoués'],
  ['Ouvert', 'ouverts'],
  ['Envoyé', 'envoyés'],
  ['Prévu', 'prévus'],
  ['Lien désactivé', 'liens désactivés'],
  ['Suspendu', 'suspendus'],
] as const

function standing({ state, revoked_at, handed_at }: Delivery, isSuspended: boolean) {
  if (revoked_at && !handed_at) return { label: 'Lien désactivé', tone: 'plain' } as const
  if (isSuspended && state === 'planned') return { label: 'Suspendu', tone: 'ember' } as const
  return STATES[state]
}

const STATES = {
  planned: { label: 'Prévu', tone: 'plain' },
  sent: { label: 'Envoyé', tone: 'leaf' },
  opened: { label: 'Ouvert', tone: 'leaf' },
  failed: { label: 'Échoué', tone: 'wax' },
} as const

// Attempts over three days are many: the latest steps are enough.
const SHOWN = 5

interface DeliveryTimelineProps {
  delivery: Delivery
  timeZone: string
  isSuspended: boolean
}

function DeliveryTimeline({ delivery, timeZone, isSuspended }: DeliveryTimelineProps) {
  const [isWhole, setWhole] = useState(false)
  const entries = entriesOf(delivery, isSuspended)
  const hidden = isWhole ? 0 : Math.max(0, entries.length - SHOWN)
  return (
    <div>
      {hidden > 1 && (
        <button
          type="button"
          className="-ml-2 min-h-11 px-2 font-semibold text-ink-soft text-sm hover:text-ink hover:underline"
          onClick={() => setWhole(true)}
        >
          Voir les {hidden} étapes précédentes
        </button>
      )}
      <ol aria-label={`Journal de la livraison à ${delivery.address}`}>
        {entries.slice(hidden > 1 ? hidden : 0).map((entry, index, { length }) => (
          <Entry
            // biome-ignore lint/suspicious/noArrayIndexKey: a journal only grows at its end
            key={index}
            entry={entry}
            timeZone={timeZone}
            isLast={index === length - 1}
          />
        ))}
      </ol>
    </div>
  )
}

const TONES: Record<JournalEntry['tone'], string> = {
  good: 'text-leaf-ink',
  plain: 'text-ink-soft',
  late: 'text-ember-ink',
  wrong: 'text-wax-ink',
}

interface EntryProps {
  entry: JournalEntry
  timeZone: string
  isLast: boolean
}

function Entry({ entry, timeZone, isLast }: EntryProps) {
  const { icon: Icon, words, at, reason, tone, isAhead } = entry
  return (
    <li className={classNames('relative flex gap-3', !isLast && 'pb-4')}>
      {!isLast && (
        <span aria-hidden="true" className="absolute top-8 bottom-0 left-4 w-px bg-line-strong" />
      )}
      <span
        aria-hidden="true"
        className={classNames(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-full border bg-surface',
          isAhead ? 'border-line-strong border-dashed' : 'border-line-strong',
          TONES[tone],
        )}
      >
        <Icon className="size-4" />
      </span>
      <p className="min-w-0 pt-1 leading-snug">
        <span className="font-semibold">{words}</span>
        {at && (
          <span className="block text-ink-soft text-sm">
            {' '}
            le <time dateTime={at}>{formatShortInstant(at, timeZone)}</time>
          </span>
        )}
        {reason && <span className="mt-1 block text-sm [overflow-wrap:anywhere]">{reason}</span>}
      </p>
    </li>
  )
}

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
  handed: { words: 'Remis en mains propres', icon: HandHeart, tone: 'good' },
  revoked: { words: 'Lien désactivé', icon: Link2Off, tone: 'wrong' },
  suspended: { words: 'Suspendu', icon: CirclePause, tone: 'late' },
}

interface JournalEntry extends StepWords {
  at: string | null
  reason: string | null
  /** It has not happened yet. */
  isAhead?: boolean
}

/** The steps of a delivery, the oldest first, then the planned one. */
function entriesOf(delivery: Delivery, isSuspended: boolean): JournalEntry[] {
  const { journal, state, due_at, revoked_at } = delivery
  const past =
    journal.length > 0
      ? journal.map(({ step, at, reason }) => ({ ...STEPS[step], at, reason }))
      : entriesOfState(delivery)
  if (state !== 'planned' || isSuspended || revoked_at) return past
  const ahead = { ...STEPS.planned, words: 'Prévu', at: due_at, reason: null, isAhead: true }
  return [...past, ahead]
}

/** The steps of a delivery older than the journal, as far as its state shows them. */
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
