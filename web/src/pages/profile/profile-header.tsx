import { BadgeCheck, CalendarDays, Link2, Mail, MapPin, Pencil, Stamp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ProfileStats, User } from '#contract/profiles.ts'
import { RecordLines } from '#web/features/predictions/record-lines.tsx'
import type { Profile } from '#web/features/profiles/profiles.queries.ts'
import { StandingRequest } from '#web/features/relationships/requests-panels.tsx'
import { StandingActions } from '#web/features/relationships/standing-actions.tsx'
import { useReportDialog } from '#web/features/reports/use-report-dialog.tsx'
import { serverNow } from '#web/lib/clock.ts'
import { formatElapsed } from '#web/lib/dates.ts'
import { initialOf } from '#web/lib/format.ts'
import LowHills from '#web/ui/art/low-hills.svg?react'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Statistic } from '#web/ui/statistic.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

interface ProfileHeaderProps {
  profile: Profile
  me: User | null
  onEdit: () => void
}

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
  // Validated again where it becomes a link, so that only http and https are ever opened.
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

interface ProfileFaceProps {
  name: string
  src: string | null
  className?: string
}

/** The large picture of a person; without one, their seal. */
function ProfileFace({ name, src, className }: ProfileFaceProps) {
  const [failed, setFailed] = useState<string>()
  const faceClass = classNames('relative shrink-0 rounded-full border-4 border-ground', className)
  if (src && src !== failed) {
    return (
      <img
        src={src}
        alt={`@${name}`}
        className={classNames(faceClass, 'bg-sunken object-cover')}
        onError={() => setFailed(src)}
      />
    )
  }
  return (
    <span className={classNames(faceClass, 'inline-flex items-center justify-center bg-sunken')}>
      <WaxSeal initial={initialOf(name)} className="size-4/5" />
    </span>
  )
}

function ProfileCounts({ stats }: { stats: ProfileStats }) {
  return (
    <dl
      aria-label="En chiffres"
      className="mt-5 grid max-w-xl grid-cols-4 divide-x divide-line rounded-card border border-line bg-surface py-3 shadow-soft"
    >
      <Statistic place="bar" value={stats.total_revelations} one="révélation" many="révélations" />
      <Statistic place="bar" value={stats.total_reactions} one="réaction" many="réactions" />
      <Statistic place="bar" value={stats.total_comments} one="commentaire" many="commentaires" />
      <Statistic place="bar" value={stats.total_views} one="vue" many="vues" />
    </dl>
  )
}

function PublicRecord({ record }: { record: ProfileStats['record'] }) {
  if (record.sealed === 0) return null
  return (
    <p className="mt-3 flex items-start gap-2 text-ink-soft text-sm">
      <Stamp aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        En public&#8239;: <RecordLines record={record} />
      </span>
    </p>
  )
}

export function ProfileCover() {
  return (
    <div aria-hidden="true" className="theme-night bg-hero relative h-32 overflow-hidden sm:h-44">
      <LowHills className="absolute inset-x-0 -bottom-px h-20 w-full sm:h-24" />
    </div>
  )
}

export function ProfileSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement du profil</span>
      <div aria-hidden="true">
        <ProfileCover />
        <div className="container-page">
          <Skeleton className="-mt-14 relative size-28 rounded-full! border-4 border-ground sm:-mt-18 sm:size-36" />
          <Skeleton className="mt-4 h-9 w-52" />
          <Skeleton className="mt-3 h-5 w-40" />
          <Skeleton className="mt-5 h-14 w-full max-w-lg" />
          <Skeleton className="mt-8 h-12 w-full" />
          <div className="mt-6 grid gap-5 lg:grid-cols-2">
            <Skeleton className="h-44 rounded-card!" />
            <Skeleton className="h-44 rounded-card!" />
          </div>
        </div>
      </div>
    </div>
  )
}
