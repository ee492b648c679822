import { paths } from '#web/app/paths.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Horizon } from './horizon.tsx'

/** What this page is for, under a night that a dawn begins to end. */
export function PredictionsHero() {
  const { user } = useSession()
  return (
    <div className="sky-night hero-sky relative overflow-hidden text-ink">
      <Horizon />
      <div className="content relative flex flex-wrap items-end justify-between gap-x-8 gap-y-5 pt-8 pb-12 sm:pt-11 sm:pb-16">
        <div className="max-w-xl">
          <PageHeading className="sm:text-5xl!">Prédictions Publiques</PageHeading>
          <p className="mt-3 text-ink-soft text-lg">
            Scellées avant, ouvertes le jour dit. Ensuite chacun peut dire ce qu’il en est advenu.
          </p>
        </div>
        <ButtonLink to={user ? paths.create : paths.register}>
          {user ? 'Sceller une prédiction' : 'Sceller ma première prédiction'}
        </ButtonLink>
      </div>
    </div>
  )
}
