import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { paths } from '#web/lib/paths.ts'
import { licenceEmail } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

/** A page that could not be shown. Plain links: the router may be what broke. */
export function ErrorScreen({ error }: { error: unknown }) {
  const isCodeMissing = isMissingCode(error)
  const broken = <BrokenPage isCodeMissing={isCodeMissing} />
  if (!isCodeMissing) return broken
  return (
    <Suspense fallback={broken}>
      <PageOutOfReach>{broken}</PageOutOfReach>
    </Suspense>
  )
}

// Only where the site is installed; elsewhere the browser itself reports that there is no network.
const PageOutOfReach = lazy(
  (): Promise<{ default: ComponentType<{ children: ReactNode }> }> =>
    import('./page-out-of-reach.tsx').then(
      (module) => ({ default: module.PageOutOfReach }),
      () => ({ default: ({ children }) => children }),
    ),
)

/** Whether a part of the code could not be loaded: gone with a new version, or lost on the way. Each browser words it its way. */
function isMissingCode(error: unknown): boolean {
  const wordings = /dynamically imported module|importing a module script|unable to preload/i
  return error instanceof Error && wordings.test(error.message)
}

function BrokenPage({ isCodeMissing }: { isCodeMissing: boolean }) {
  return (
    <main className="container-page flex min-h-[70dvh] flex-col items-center justify-center gap-5 py-16 text-center">
      <WaxSeal initial="R" state="broken" className="size-24" />
      <h1 className="text-3xl">
        {isCodeMissing ? 'Cette page n’a pas pu se charger' : 'Cette page ne s’est pas ouverte'}
      </h1>
      {isCodeMissing ? (
        <p className="max-w-md text-ink-soft">
          Une nouvelle version du site vient d’arriver, ou le réseau a manqué. Rechargez la
          page&#8239;: cela suffit d’ordinaire.
        </p>
      ) : (
        <p className="max-w-md text-ink-soft">
          Rechargez-la&#8239;: souvent, cela suffit. Vos révélations ne risquent rien, le site les
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
