import { Link } from 'react-router'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { useForWhom } from '#web/features/revelations/for-whom.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatRelative, formatShortInstant, useBrowserTimeZone } from '#web/lib/dates.ts'
import { paths } from '#web/lib/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'

interface RevelationLinesProps {
  revelation: Revelation
  className?: string
}

/** The author, the recipient, the date, and the last change. */
export function RevelationLines({ revelation, className }: RevelationLinesProps) {
  const { author_pseudo, author_avatar, created_at, time_zone } = revelation
  const { updated_at, version } = revelation
  const ownZone = useBrowserTimeZone()
  const forWhom = useForWhom(revelation)
  return (
    <div className={classNames('flex min-w-0 items-center gap-3', className)}>
      <Avatar name={author_pseudo} src={author_avatar} />
      <div className="min-w-0 text-sm leading-snug">
        <p className="[overflow-wrap:anywhere]">
          <AuthorName revelation={revelation} />{' '}
          <span className="text-ink-soft">pour {forWhom}</span>
        </p>
        <p className="text-ink-soft print:hidden">
          {'Scellée '}
          <time dateTime={created_at}>{formatRelative(created_at, serverNow())}</time>
          {version > 1 && (
            <>
              {' · '}
              modifiée le{' '}
              <time dateTime={updated_at}>
                {formatShortInstant(updated_at, time_zone, ownZone ?? time_zone)}
              </time>{' '}
              (version {version})
            </>
          )}
        </p>
      </div>
    </div>
  )
}

/** A link for signed-in people only, who alone may see profiles. */
function AuthorName({ revelation }: { revelation: Revelation }) {
  const { user } = useSession()
  const { author_id, author_pseudo } = revelation
  if (!user) return <strong className="font-semibold">@{author_pseudo}</strong>
  return (
    <Link
      to={paths.profile(author_id)}
      className="-my-3 inline-flex min-h-11 items-center font-semibold underline decoration-line-strong underline-offset-4 hover:decoration-current"
    >
      @{author_pseudo}
    </Link>
  )
}
