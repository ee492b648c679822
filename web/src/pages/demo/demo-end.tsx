import { paths } from '#web/app/paths.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { ButtonLink } from '#web/ui/button.tsx'

/** What one may want next: to write, or to see what others sealed. */
export function DemoEnd() {
  const { user } = useSession()
  return (
    <section aria-labelledby="a-vous" className="content pt-14 text-center sm:pt-18">
      <h2 id="a-vous" className="text-2xl sm:text-3xl">
        Et vous, qu’avez-vous à dire plus tard&nbsp;?
      </h2>
      <div className="mx-auto mt-6 flex max-w-xl flex-col justify-center gap-3 sm:flex-row">
        <ButtonLink large to={user ? paths.create : paths.register}>
          {user ? 'Créer une révélation' : 'Sceller ma première révélation'}
        </ButtonLink>
        <ButtonLink large variant="secondary" to={paths.home}>
          Retour à l’accueil
        </ButtonLink>
      </div>
    </section>
  )
}
