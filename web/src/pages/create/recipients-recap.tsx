import { peopleInWords } from '#web/features/revelations/for-whom.ts'
import { type DraftRecipient, writtenRecipients } from '#web/features/revelations/recipients.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'
import { EmailAddress } from '#web/ui/email-address.tsx'

interface RecipientsRecapProps {
  draft: RevelationDraft
  /** How many are not its author: one’s own address gets no notice. */
  othersCount: number
  isPast: boolean
  notifiesNow: boolean
}

/** For whom it is, with every address whole, and what each of them receives and when. */
export function RecipientsRecap(props: RecipientsRecapProps) {
  const { draft, othersCount, isPast, notifiesNow } = props
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
      {!isPast && (
        <p className="mt-1 text-ink-soft text-sm">
          {noticeInWords({
            notifiesNow,
            othersCount,
            peopleCount: people.length,
            hasNote: draft.announcement_note.trim() !== '',
          })}
        </p>
      )}
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

interface NoticeFacts extends Pick<RecipientsRecapProps, 'othersCount' | 'notifiesNow'> {
  peopleCount: number
  hasNote: boolean
}

function noticeInWords({ notifiesNow, othersCount, peopleCount, hasNote }: NoticeFacts): string {
  if (othersCount === 0) return 'Rien ne part maintenant\u202F: la lettre est pour vous.'
  if (!notifiesNow) return 'La surprise est gardée jusqu’à la date.'
  const said = `le titre, votre pseudo${hasNote ? ', la date et votre mot' : ' et la date'}`
  if (peopleCount === 1) {
    return `Un e-mail part dès maintenant, qui ne dit que ${said}.`
  }
  const exception = othersCount < peopleCount ? ', sauf vous' : ''
  return `Dès maintenant, un e-mail part à chacun${exception}\u202F: il ne dit que ${said}.`
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
