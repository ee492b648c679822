import type { Revelation } from '#contract/revelations.ts'
import { formatRelative, formatShortInstant } from '#web/lib/french-dates.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'

interface RevelationLinesProps {
  revelation: Revelation
  className?: string
}

/** From whom and for whom, since when, and whether it was changed since. */
export function RevelationLines({ revelation, className }: RevelationLinesProps) {
  const { author_pseudo, author_avatar, target_email, created_at, time_zone } = revelation
  const { updated_at, version } = revelation
  return (
    <div className={classNames('flex min-w-0 items-center gap-3', className)}>
      <Avatar name={author_pseudo} src={author_avatar} />
      <div className="min-w-0 text-sm leading-snug">
        <p className="[overflow-wrap:anywhere]">
          <strong className="font-semibold">@{author_pseudo}</strong>{' '}
          <span className="text-ink-soft">pour {target_email}</span>
        </p>
        <p className="text-ink-soft">
          <time dateTime={created_at}>{formatRelative(created_at, serverNow())}</time>
          {version > 1 && (
            <>
              {' · '}
              modifiée le{' '}
              <time dateTime={updated_at}>{formatShortInstant(updated_at, time_zone)}</time>{' '}
              (version {version})
            </>
          )}
        </p>
      </div>
    </div>
  )
}
