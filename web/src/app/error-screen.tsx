import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Button } from '#web/ui/button.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { licenceEmail } from './contact.ts'
import { paths } from './paths.ts'

interface ErrorScreenProps {
  /** Nothing broke: the code of the page could not be had. */
  isCodeMissing: boolean
}

/** A page that could not be shown. Plain links: the router may be what broke. */
export function ErrorScreen(props: ErrorScreenProps) {
  const broken = <BrokenPage {...props} />
  if (!props.isCodeMissing) return broken
  return (
    <Suspense fallback={broken}>
      <PageOutOfReach>{broken}</PageOutOfReach>
    </Suspense>
  )
}

// On the device where the site was kept; elsewhere the browser says by itself that there is no network.
const PageOutOfReach = lazy(
  (): Promise<{ default: ComponentType<{ children: ReactNode }> }> =>
    import('./page-out-of-reach.tsx').then(
      (module) => ({ default: module.PageOutOfReach }),
      () => ({ default: ({ children }) => children }),
    ),
)

function BrokenPage({ isCodeMissing }: ErrorScreenProps) {
  return (
    <main className="content flex min-h-[70dvh] flex-col items-center justify-center gap-5 py-16 text-center">
      <WaxSeal initial="R" state="broken" className="size-24" />
      <h1 className="text-3xl">
        {isCodeMissing ? 'Cette page n’a pas pu se charger' : 'Cette page ne s’est pas ouverte'}
      </h1>
      {isCodeMissing ? (
        <p className="max-w-md text-ink-soft">
          Une nouvelle version du site vient d’arriver, ou le réseau a manqué. Rechargez la
          page&nbsp;: cela suffit d’ordinaire.
        </p>
      ) : (
        <p className="max-w-md text-ink-soft">
          Rechargez-la&nbsp;: souvent, cela suffit. Vos révélations ne risquent rien, le site les
          garde. Si cela continue, écrivez à{' '}
          <a href={`mailto:${licenceEmail()}`} className="underline underline-offset-4">
            {licenceEmail()}
          </a>
          .
        </p>
      )}
      <div className="flex flex-wrap items-center justify-center gap-3">
        <Button onClick={() => window.location.reload()}>Recharger la page</Button>
        <a
          href={paths.home}
          className="inline-flex min-h-11 items-center px-3 font-semibold underline underline-offset-4"
        >
          Retour à l’accueil
        </a>
      </div>
    </main>
  )
}
