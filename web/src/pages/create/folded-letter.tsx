import { PencilLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { dayInWords, instantInWords } from '#contract/date-in-words.ts'
import { INKS, PAPERS } from '#contract/revelations.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { otherRecipients } from '#web/features/revelations/recipients.ts'
import { instantOfMoment, isPastMoment } from '#web/features/revelations/reveal-moment.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { stationeryInWords, tagsOf } from '#web/features/revelations/revelation-labels.ts'
import { VISIBILITY_HINTS } from '#web/features/revelations/visibility-hints.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatDaysUntil } from '#web/lib/dates.ts'
import { newsInWords, noticeInWords, RecipientsRecap, whyNoteStays } from './recipients-recap.tsx'

/** What of a letter its author may still change from its recap. */
export type LetterPart = 'title' | 'people' | 'moment' | 'audience' | 'notice' | 'inside'

/** A letter as it is about to be sealed. */
export interface LetterToSeal {
  draft: RevelationDraft
  timeZone: string
  /** Whether the recipients are notified now. */
  notifiesNow: boolean
  /** What is in it besides its words, in words. */
  inside: ReactNode
  hasVoice: boolean
}

interface FoldedLetterProps {
  letter: LetterToSeal
  onEdit: (part: LetterPart) => void
}

/** The letter as its author reads it a last time: for whom, when, who sees it, what is announced now, and what is inside. */
export function FoldedLetter({ letter, onEdit }: FoldedLetterProps) {
  const { draft, timeZone, notifiesNow, inside, hasVoice } = letter
  const { kind, visibility, category, paper, ink } = draft
  const { email } = useSignedInUser()
  const opening = draft.opening_note.trim()
  const facts = {
    draft,
    othersCount: otherRecipients(draft.recipients, email).length,
    isPast: isPastMoment(draft, timeZone),
    notifiesNow,
  }
  return (
    <dl className="folded-letter theme-paper" data-paper={paper} data-ink={ink}>
      <Line term="Titre" change={{ what: 'le titre et le texte', onEdit: () => onEdit('title') }}>
        <span className="font-serif text-letter-ink text-xl leading-snug [overflow-wrap:anywhere]">
          {draft.title.trim()}
        </span>
      </Line>
      <Line term="Pour" change={{ what: 'les destinataires', onEdit: () => onEdit('people') }}>
        <RecipientsRecap {...facts} />
      </Line>
      <Line term="S’ouvre" change={{ what: 'la date', onEdit: () => onEdit('moment') }}>
        <When draft={draft} timeZone={timeZone} />
      </Line>
      <Line term="Qui la voit" change={{ what: 'qui la voit', onEdit: () => onEdit('audience') }}>
        {VISIBILITY_HINTS[visibility].audience}
        <Aside>
          {tagsOf({ kind, visibility, category })
            .map(({ label }) => label)
            .join(' · ')}
        </Aside>
      </Line>
      <Line
        term="Maintenant"
        change={{ what: 'ce qui est dit maintenant', onEdit: () => onEdit('notice') }}
      >
        <NoticeRecap {...facts} timeZone={timeZone} />
      </Line>
      <Line
        term="À l’intérieur"
        change={{ what: 'ce qu’elle contient', onEdit: () => onEdit('inside') }}
      >
        {inside}
        {hasVoice && (
          <Aside>Votre voix&#8239;: elle se fait entendre quand le sceau se brise.</Aside>
        )}
        {(paper !== PAPERS[0] || ink !== INKS[0]) && <Aside>{stationeryInWords(draft)}</Aside>}
        {opening && (
          <>
            <Aside>Mot pour l’ouverture</Aside>
            <Words>{opening}</Words>
            <Aside>
              {`Il part ${facts.isPast ? 'dès qu’elle est scellée' : 'à la date'}, avec le lien qui l’ouvre.`}
            </Aside>
          </>
        )}
      </Line>
    </dl>
  )
}

interface LineProps {
  term: string
  change: { what: string; onEdit: () => void }
  children: ReactNode
}

function Line({ term, change, children }: LineProps) {
  return (
    <div className="relative py-3">
      <dt className="pr-28 text-ink-soft text-sm">{term}</dt>
      <dd className="min-w-0">{children}</dd>
      <dd className="absolute top-0 right-0">
        <button
          type="button"
          aria-label={`Changer ${change.what}`}
          onClick={change.onEdit}
          className="-mr-2 inline-flex min-h-11 items-center gap-1.5 rounded-field px-2 font-semibold text-ink-soft text-sm hover:bg-sunken hover:text-ink"
        >
          <PencilLine aria-hidden="true" className="size-4" />
          Changer
        </button>
      </dd>
    </div>
  )
}

function When({ draft, timeZone }: Pick<LetterToSeal, 'draft' | 'timeZone'>) {
  if (isPastMoment(draft, timeZone)) {
    return <strong className="text-ember-ink">dévoilée immédiatement</strong>
  }
  const instant = instantOfMoment(draft, timeZone)
  return (
    <>
      <strong>{instantInWords(instant, timeZone)}</strong>
      <Aside>{formatDaysUntil(instant, serverNow(), timeZone)}</Aside>
    </>
  )
}

interface NoticeRecapProps {
  draft: RevelationDraft
  othersCount: number
  isPast: boolean
  notifiesNow: boolean
  timeZone: string
}

/** What leaves with the seal, in the words that are read, and the author’s own. */
function NoticeRecap({ timeZone, ...facts }: NoticeRecapProps) {
  const { draft, othersCount, isPast, notifiesNow } = facts
  const { pseudo } = useSignedInUser()
  const note = draft.announcement_note.trim()
  const isNotified = notifiesNow && othersCount > 0 && !isPast
  const why = whyNoteStays(facts)
  const news = newsInWords(draft)
  return (
    <>
      <p>{noticeInWords(facts)}</p>
      {othersCount > 0 && news && <Aside>{news}</Aside>}
      {isNotified && (
        <blockquote className="mt-2 border-line-strong border-l-2 pl-3 text-ink-soft [overflow-wrap:anywhere]">
          «&#8239;@{pseudo} a scellé une lettre pour vous&#8239;: {draft.title.trim()}. Elle
          s’ouvrira le {dayInWords(instantOfMoment(draft, timeZone), timeZone)}.&#8239;»
        </blockquote>
      )}
      {note && (
        <>
          <Aside>{why ? 'Mot pour prévenir' : 'De votre main'}</Aside>
          <Words>{note}</Words>
          {why && <Aside>{why}</Aside>}
        </>
      )}
    </>
  )
}

function Words({ children }: { children: string }) {
  return (
    <span className="block whitespace-pre-line font-serif text-letter-ink [overflow-wrap:anywhere]">
      {children}
    </span>
  )
}

function Aside({ children }: { children: ReactNode }) {
  return <span className="mt-1 block text-ink-soft text-sm">{children}</span>
}
