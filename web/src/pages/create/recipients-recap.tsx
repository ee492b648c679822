import { peopleInWords } from '#web/features/revelations/for-whom.ts'
import {
  type DraftRecipient,
  writtenRecipients,
  writtenRows,
} from '#web/features/revelations/recipients.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { EmailAddress } from '#web/ui/email-address.tsx'

/** What decides what leaves with the seal. */
interface NoticeFacts {
  draft: RevelationDraft
  /** How many are not its author: one’s own address gets no notice. */
  othersCount: number
  /** It opens at once. */
  isPast: boolean
  notifiesNow: boolean
}

/** For whom it is, with every address whole, and what each of them receives on the day. */
export function RecipientsRecap({ draft, isPast }: Pick<NoticeFacts, 'draft' | 'isPast'>) {
  const people = writtenRecipients(draft.recipients)
  const isSeveral = people.length > 1
  return (
    <>
      {people.length > SHOWN ? (
        <>
          <strong className="[overflow-wrap:anywhere]">
            {peopleInWords(people.map(({ name, email }) => name.trim() || email.trim()))}
          </strong>
          <details>
            <summary className="flex min-h-11 cursor-pointer items-center font-semibold underline decoration-line-strong underline-offset-4">
              Les {people.length} adresses
            </summary>
            <EachPerson people={people} />
          </details>
        </>
      ) : (
        <EachPerson people={people} />
      )}
      <p className="mt-1 text-ink-soft text-sm">
        {isPast ? 'Dès qu’elle est scellée' : 'À la date'}
        {isSeveral
          ? ', chacun reçoit par e-mail un lien qui n’est qu’à lui.'
          : ', un lien personnel part à cette adresse.'}
      </p>
      {isSeveral && (
        <p className="mt-1 text-ink-soft text-sm">
          {draft.recipients_see_each_other
            ? 'Tous se voient\u202F: chacun sait pour qui d’autre elle est.'
            : 'Personne ne sait pour qui d’autre elle est.'}
        </p>
      )}
    </>
  )
}

/** Whom its audience lets know at once that it is there, besides those it is for (behaviour.md 6.2). */
export function newsInWords({ visibility }: Pick<RevelationDraft, 'visibility'>): string | false {
  if (visibility === 'private') return false
  return visibility === 'family'
    ? 'Votre famille apprend qu’elle existe, sauf qui ne veut pas de vos nouvelles.'
    : 'Vos amis et votre famille apprennent qu’elle existe, sauf qui ne veut pas de vos nouvelles.'
}

/** What the e-mail says that leaves now, or why none does. */
export function noticeInWords({ draft, othersCount, isPast, notifiesNow }: NoticeFacts): string {
  if (othersCount === 0) {
    return newsInWords(draft) || 'Rien ne part maintenant\u202F: elle est pour vous.'
  }
  const peopleCount = writtenRows(draft.recipients).length
  if (isPast) {
    return peopleCount > 1
      ? 'Elle s’ouvre tout de suite\u202F: chacun reçoit son lien.'
      : 'Elle s’ouvre tout de suite\u202F: le lien part.'
  }
  if (!notifiesNow) return 'La surprise est gardée jusqu’à la date.'
  const hasNote = draft.announcement_note.trim() !== ''
  const announced = `le titre, votre pseudo${hasNote ? ', la date et votre mot' : ' et la date'}`
  if (peopleCount === 1) {
    return `Un e-mail part dès maintenant, qui ne dit que ${announced}.`
  }
  const exception = othersCount < peopleCount ? ', sauf vous' : ''
  return `Dès maintenant, un e-mail part à chacun${exception}\u202F: il ne dit que ${announced}.`
}

/** Why the word for the notice does not leave with the seal; false when it does. */
export function whyNoteStays({
  draft,
  othersCount,
  isPast,
  notifiesNow,
}: NoticeFacts): string | false {
  if (othersCount === 0) return 'Il ne part pas\u202F: elle est pour vous.'
  if (isPast) return 'Il ne part pas\u202F: elle s’ouvre sans prévenir.'
  const whom = writtenRows(draft.recipients).length > 1 ? 'les destinataires' : 'le destinataire'
  return !notifiesNow && `Il ne part que si vous prévenez ${whom} avant la date.`
}

// More would push away what is to be read besides.
const SHOWN = 4

function EachPerson({ people }: { people: readonly DraftRecipient[] }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {people.map((person) => (
        <li key={person.email}>
          <NameAndAddress {...person} />
        </li>
      ))}
    </ul>
  )
}

function NameAndAddress({ name, email }: DraftRecipient) {
  return (
    <span className="block leading-snug">
      {name.trim() && <span className="block [overflow-wrap:anywhere]">{name.trim()}</span>}
      <span className={name.trim() ? 'block text-ink-soft text-sm' : 'block'}>
        <EmailAddress>{email.trim()}</EmailAddress>
      </span>
    </span>
  )
}
