import { Award } from 'lucide-react'
import { Link } from 'react-router'
import type { CircleStatistics } from '#contract/circle.ts'
import { paths } from '#web/app/paths.ts'
import { counted } from '#web/lib/counts.ts'
import { Avatar } from '#web/ui/avatar.tsx'

type Contributor = CircleStatistics['top_contributor']

/** Whoever sealed the most for the family. */
export function ContributorBanner({ contributor }: { contributor: Contributor }) {
  const { user_id, pseudo, avatar_url } = contributor
  return (
    <section
      aria-labelledby="contributeur"
      className="sky-night night-sky relative flex items-center gap-4 overflow-hidden rounded-card border border-line p-4 text-ink shadow-soft sm:p-6"
    >
      <span className="relative shrink-0">
        <Avatar
          name={pseudo}
          src={avatar_url}
          className="size-16 border-3! border-[#f6c987]! text-2xl sm:size-20 sm:text-3xl"
        />
        <span className="-right-1 -bottom-1 absolute inline-flex size-8 items-center justify-center rounded-full bg-[#f6c987] text-[#3a2100]">
          <Award aria-hidden="true" className="size-5" />
        </span>
      </span>
      <div className="min-w-0">
        <h2 id="contributeur" className="text-[#f6c987] text-lg">
          Contributeur du mois
        </h2>
        <p className="font-semibold text-xl leading-snug [overflow-wrap:anywhere] sm:text-2xl">
          {user_id ? (
            <Link
              to={paths.profile(user_id)}
              className="inline-flex min-h-11 items-center hover:underline"
            >
              @{pseudo}
            </Link>
          ) : (
            `@${pseudo}`
          )}
        </p>
        <p className="text-ink-soft">{inWords(contributor)}</p>
      </div>
    </section>
  )
}

function inWords({ deliveries, period }: Contributor): string {
  const count = counted(deliveries, 'livraison scellée', 'livraisons scellées')
  if (period === 'month') return `${count} ce mois-ci`
  if (period === 'all') return `${count} depuis le début, aucune encore ce mois-ci`
  return 'La première livraison du cercle donnera ce titre'
}
