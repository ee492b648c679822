import { paths } from '#web/app/paths.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { HeroScene } from './hero-scene.tsx'

/** The first thing seen: what this place is for, and the way in. */
export function Hero() {
  const { user } = useSession()
  return (
    <div className="sky-night hero-sky relative overflow-hidden text-ink">
      <HeroScene />
      <div className="content relative pt-9 pb-30 sm:pt-12 sm:pb-34">
        <div className="max-w-xl">
          <PageHeading
            documentTitle="Pour dire les choses à leur heure"
            className="text-[2.35rem] leading-[1.08] sm:text-5xl lg:text-6xl"
          >
            Écrit cette nuit. <br />
            Dévoilé le jour dit.
          </PageHeading>
          <p className="mt-4 max-w-lg text-ink-soft text-lg">
            Annonce, prédiction, lettre ou vidéo&nbsp;: scellez-la jusqu’à la date de votre choix.
            Elle s’ouvre toute seule, pour les personnes que vous avez choisies.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <ButtonLink large to={user ? paths.create : paths.register}>
              {user ? 'Créer une révélation' : 'Sceller ma première révélation'}
            </ButtonLink>
          </div>
        </div>
      </div>
    </div>
  )
}
