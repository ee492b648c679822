import { BadgeCheck, CalendarDays, Link2, Mail, MapPin, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { User } from '#contract/profiles.ts'
import type { Profile } from '#web/features/profiles/profiles.queries.ts'
import { StandingActions } from '#web/features/relationships/standing-actions.tsx'
import { StandingRequest } from '#web/features/relationships/standing-request.tsx'
import { useReportDialog } from '#web/features/reports/use-report-dialog.tsx'
import { formatElapsed } from '#web/lib/french-dates.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { ProfileFace } from './profile-face.tsx'
import { ProfileCounts, PublicRecord } from './profile-figures.tsx'

interface ProfileHeaderProps {
  profile: Profile
  me: User | null
  onEdit: () => void
}

/** Who this is, and the one thing to do about it. */
export function ProfileHeader({ profile, me, onEdit }: ProfileHeaderProps) {
  const { user, stats, standing } = profile
  const { pseudo, avatar_url, bio, location, website, email_verified, created_at } = user
  const since = formatElapsed(created_at, serverNow())
  const { report, dialog } = useReportDialog()
  return (
    <header className="relative">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <ProfileFace
          name={pseudo}
          src={avatar_url}
          className="-mt-14 size-28 sm:-mt-18 sm:size-36"
        />
        <div className="flex min-h-11 flex-wrap items-center justify-end gap-2">
          {me && (
            <Button
              variant="secondary"
              icon={<Pencil aria-hidden="true" className="size-4" />}
              onClick={onEdit}
            >
              Modifier
            </Button>
          )}
          {!me && standing && (
            <StandingActions
              personId={user.id}
              pseudo={pseudo}
              standing={standing}
              onReport={() =>
                report({ target: 'profile', target_id: user.id, title: `Signaler @${pseudo}` })
              }
            />
          )}
        </div>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <PageHeading
          documentTitle={me ? 'Mon profil' : `@${pseudo}`}
          className="text-pretty [overflow-wrap:anywhere]"
        >
          @{pseudo}
        </PageHeading>
        {email_verified && (
          <Badge tone="leaf" icon={<BadgeCheck aria-hidden="true" className="size-3.5" />}>
            Vérifié
          </Badge>
        )}
      </div>
      {bio && (
        <p className="mt-2 max-w-reading whitespace-pre-line [overflow-wrap:anywhere]">{bio}</p>
      )}
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1.5 text-ink-soft">
        {me && <Line icon={<Mail aria-hidden="true" className="size-4.5" />}>{me.email}</Line>}
        {location && (
          <Line icon={<MapPin aria-hidden="true" className="size-4.5" />}>{location}</Line>
        )}
        <WebsiteLine website={website} />
        <Line icon={<CalendarDays aria-hidden="true" className="size-4.5" />}>
          <time dateTime={created_at}>Membre depuis {since ?? 'aujourd’hui'}</time>
        </Line>
      </ul>
      {!me && standing && <StandingRequest pseudo={pseudo} standing={standing} />}
      <ProfileCounts stats={stats} />
      <PublicRecord record={stats.record} />
      {dialog}
    </header>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-w-0 items-center gap-2 [overflow-wrap:anywhere]">
      <span className="shrink-0">{icon}</span>
      {children}
    </li>
  )
}

function WebsiteLine({ website }: { website: string }) {
  const url = URL.parse(website)
  // What was stored is checked again where it becomes a link: nothing but the web is ever opened.
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null
  const shown = `${url.host}${url.pathname}`.replace(/^www\./, '').replace(/\/$/, '')
  return (
    <Line icon={<Link2 aria-hidden="true" className="size-4.5" />}>
      <a
        href={url.href}
        target="_blank"
        rel="noopener ugc"
        className="-my-2.5 inline-flex min-h-11 items-center font-semibold text-ink underline underline-offset-4 hover:text-wax-ink"
      >
        {shown}
      </a>
    </Line>
  )
}
