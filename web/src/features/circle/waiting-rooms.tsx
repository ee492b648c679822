import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import type { CircleWait } from '#contract/circle.ts'
import { dayInWords } from '#contract/date-in-words.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { peopleInWords } from '#web/features/revelations/for-whom.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { serverNow, useElapsedShare } from '#web/lib/clock.ts'
import { formatDay, formatDaysUntil } from '#web/lib/dates.ts'
import { counted, initialOf } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Panel } from '#web/ui/panel.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

interface WaitersRoomProps {
  waiting: readonly CircleWait[]
  /** Of all that are sealed, shown here or not. */
  total: number
}

/** Who waits for a letter of whom; « quelqu’un » wherever this reader may not know it. */
export function WaitersRoom({ waiting, total }: WaitersRoomProps) {
  const others = total - waiting.length
  return (
    <Panel title="Qui attend une lettre">
      <ul className="-mx-2">
        {waiting.map((wait) => (
          <li key={wait.id}>
            <Waiter wait={wait} />
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p className="mt-2 text-ink-soft">
          Et {counted(others, 'autre lettre scellée', 'autres lettres scellées')}.
        </p>
      )}
    </Panel>
  )
}

function Waiter({ wait }: { wait: CircleWait }) {
  const { id, reveal_date, time_zone, author_pseudo } = wait
  return (
    <Link
      to={paths.revelation(id)}
      className="flex min-h-14 items-center gap-3 rounded-field px-2 py-2 hover:bg-sunken"
    >
      <WaxSeal initial={initialOf(author_pseudo)} className="size-9 shrink-0" />
      <span className="min-w-0 flex-1 leading-snug [overflow-wrap:anywhere]">
        {useSentence(wait)},{' '}
        <span className="text-ink-soft">le {formatDay(reveal_date, time_zone)}</span>
      </span>
    </Link>
  )
}

/** « Léa et Papa attendent une lettre de @bob », « Vous attendez une lettre de vous-même ». */
function useSentence({
  author_id,
  author_pseudo,
  is_for_me,
  recipients,
  unnamed_recipients,
}: CircleWait): string {
  const me = useSignedInUser()
  const isOwn = author_id === me.id
  const names = recipients.filter((name) => !isSameAddress(name, me.email))
  const isForMe = is_for_me || names.length < recipients.length
  const count = names.length + unnamed_recipients
  const rest = count === 0 ? '' : peopleInWords(names, unnamed_recipients)
  if (isForMe) {
    const from = isOwn ? 'vous-même' : `@${author_pseudo}`
    return rest
      ? `Vous et ${rest} attendez une lettre de ${isOwn ? 'vous' : from}`
      : `Vous attendez une lettre de ${from}`
  }
  const verb = count > 1 ? 'attendent' : 'attend'
  return `${rest || 'Quelqu’un'} ${verb} une lettre de ${isOwn ? 'vous' : `@${author_pseudo}`}`
}

const NEXT_MAX = 3

/** The seals that break next, under the light that already comes to them. */
export function NextOpeningsRoom({ waiting }: { waiting: readonly CircleWait[] }) {
  const next = waiting.slice(0, NEXT_MAX)
  return (
    <Panel title={next.length > 1 ? 'Les prochaines ouvertures' : 'La prochaine ouverture'}>
      <ul className="flex flex-col gap-2">
        {next.map((wait, index) => (
          <li key={wait.id}>
            <Opening wait={wait} isFirst={index === 0} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Opening({ wait, isFirst }: { wait: CircleWait; isFirst: boolean }) {
  const { id, title, author_id, author_pseudo, created_at, reveal_date, time_zone } = wait
  const me = useSignedInUser()
  const elapsed = useElapsedShare(created_at, reveal_date)
  return (
    <Link
      to={paths.revelation(id)}
      style={{ '--dawn': elapsed }}
      className={classNames(
        'theme-night bg-night-row flex items-center gap-3 rounded-field border border-line p-3 text-ink shadow-soft hover:border-line-strong',
        isFirst && 'py-4',
      )}
    >
      <WaxSeal
        initial={initialOf(author_pseudo)}
        elapsed={elapsed}
        className={classNames('shrink-0', isFirst ? 'size-16' : 'size-12')}
      />
      <span className="min-w-0 flex-1 leading-snug">
        <span className="line-clamp-2 font-serif text-lg leading-tight [overflow-wrap:anywhere]">
          {title}
        </span>
        <span className="mt-0.5 block text-ink-soft text-sm [overflow-wrap:anywhere]">
          {author_id === me.id ? 'Scellée par vous' : `De @${author_pseudo}`}
        </span>
        <time dateTime={reveal_date} className="block text-sm">
          {dayInWords(new Date(reveal_date), time_zone)},{' '}
          {formatDaysUntil(reveal_date, serverNow(), time_zone)}
        </time>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
    </Link>
  )
}
