import { Award } from 'lucide-react'
import { Link } from 'react-router'
import type { CircleStatistics } from '#contract/circle.ts'
import { counted } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'

type Contributor = CircleStatistics['top_contributor']

/** Whoever sealed the most for the family. */
export function ContributorBanner({ contributor }: { contributor: Contributor }) {
  const isNobody = contributor.period === 'none'
  return (
    <section
      aria-labelledby="contributeur"
      className="theme-night bg-night flex items-center gap-4 rounded-card border border-line p-4 text-ink shadow-soft"
    >
      <Laureate contributor={isNobody ? undefined : contributor} />
      <div className="min-w-0">
        <h2 id="contributeur" className="text-[#f6c987] text-base">
          Contributeur du mois
        </h2>
        <p className="font-semibold text-lg leading-snug [overflow-wrap:anywhere]">
          {isNobody ? 'La place est libre' : <Name {...contributor} />}
        </p>
        <p className="text-ink-soft">{inWords(contributor)}</p>
      </div>
    </section>
  )
}

function Laureate({ contributor }: { contributor: Contributor | undefined }) {
  if (!contributor) {
    return (
      <span className="inline-flex size-14 shrink-0 items-center justify-center rounded-full border-2 border-[#f6c987] border-dashed text-[#f6c987]">
        <Award aria-hidden="true" className="size-8" />
      </span>
    )
  }
  return (
    <span className="relative shrink-0">
      <Avatar
        name={contributor.pseudo}
        src={contributor.avatar_url}
        className="size-14 border-3! border-[#f6c987]! text-2xl"
      />
      <span className="absolute -right-1 -bottom-1 inline-flex size-7 items-center justify-center rounded-full bg-[#f6c987] text-[#3a2100]">
        <Award aria-hidden="true" className="size-5" />
      </span>
    </span>
  )
}

function Name({ user_id, pseudo }: Contributor) {
  if (!user_id) return `@${pseudo}`
  return (
    <Link to={paths.profile(user_id)} className="inline-flex min-h-11 items-center hover:underline">
      @{pseudo}
    </Link>
  )
}

function inWords({ deliveries, period }: Contributor): string {
  const count = counted(deliveries, 'livraison scellée', 'livraisons scellées')
  if (period === 'month') return `${count} ce mois-ci`
  if (period === 'all') return `${count} depuis le début, aucune encore ce mois-ci`
  return 'La première livraison du cercle donnera ce titre'
}
