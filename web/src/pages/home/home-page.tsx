import { lazy, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useOutletContext } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { hasVisited } from '#web/lib/first-visit.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { paths } from '#web/lib/paths.ts'
import Hills from '#web/ui/art/hills.svg?react'
import { ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { Feed } from './feed.tsx'
import { FeedFilters } from './feed-filters.tsx'
import { OwnPlaceSkeleton } from './own-place-skeleton.tsx'
import { useFeedFilters } from './use-feed-filters.ts'
import { WriteLine } from './write-line.tsx'

// A visitor does not wait for what only signed-in people need; `routes.tsx` asks for it with the page.
const OwnPlace = lazy(async () => ({ default: (await import('./own-place.tsx')).OwnPlace }))
const OwnFeed = lazy(async () => ({ default: (await import('./own-feed.tsx')).OwnFeed }))

/** The home page; for a visitor who never saw the demo, the demo first. */
export function HomePage() {
  const { user } = useSession()
  const { key, search } = useLocation()
  // `inline-boot.js` decides for the page that was loaded, before anything of it is seen. A search is shown as asked for.
  const [isFirst] = useState(() => key !== 'default' && search === '' && !user && !hasVisited())
  return isFirst ? <Navigate to={paths.demo} replace /> : <Home />
}

function Home() {
  const { user } = useSession()
  const { filters, setFilters, clearFilters } = useFeedFilters()
  const feed = { filters, onClear: clearFilters }
  useHeadAnew(user !== null)
  return (
    <>
      {user ? <OwnHead /> : <Hero />}
      <section
        aria-labelledby="revelations"
        className={classNames('container-page', user ? 'pt-5' : 'pt-6 sm:pt-9')}
      >
        <h2
          id="revelations"
          tabIndex={-1}
          className={classNames('text-[1.2rem]', user ? 'sm:text-2xl' : 'sm:text-3xl')}
        >
          Ce qui attend, ce qui vient de s’ouvrir
        </h2>
        <FeedFilters filters={filters} onChange={setFilters} />
        {user ? (
          <Suspense fallback={<Feed {...feed} isPending />}>
            <OwnFeed {...feed} />
          </Suspense>
        ) : (
          <Feed {...feed} />
        )}
      </section>
    </>
  )
}

/** Signing in or out here brings the other head, and takes away the heading that had the focus. */
function useHeadAnew(isOwn: boolean): void {
  const wasOwn = useRef(isOwn)
  useLayoutEffect(() => {
    if (wasOwn.current === isOwn) return
    wasOwn.current = isOwn
    if (document.activeElement === document.body) requestHeadingFocus()
  }, [isOwn])
}

/** Mine comes first: what waits for me, and a sheet to write on. */
function OwnHead() {
  return (
    <>
      <div className="theme-night bg-own text-ink">
        <div className="container-page pt-3 pb-5">
          <HomeHeading className="text-[1.05rem] text-ink-soft sm:text-xl">
            Écrit cette nuit. Dévoilé le jour dit.
          </HomeHeading>
          <div className="mt-1 grid grid-cols-1 items-end gap-3 lg:grid-cols-[2fr_1fr]">
            <Suspense fallback={<OwnPlaceSkeleton />}>
              <OwnPlace />
            </Suspense>
            <WriteLine />
          </div>
        </div>
      </div>
      {useOutletContext<ReactNode>()}
    </>
  )
}

function Hero() {
  return (
    <div className="theme-night bg-hero relative overflow-hidden text-ink">
      <HeroScene />
      <div className="container-page relative pt-8 pb-26 sm:pt-12 sm:pb-34">
        <div className="max-w-xl">
          <HomeHeading className="text-[2.35rem] leading-[1.08] sm:text-5xl lg:text-6xl">
            Écrit cette nuit. <br />
            Dévoilé le jour dit.
          </HomeHeading>
          <p className="mt-4 max-w-lg text-ink-soft text-lg">
            Annonce, prédiction, lettre ou vidéo&#8239;: scellez-la jusqu’à la date de votre choix.
            Elle s’ouvre toute seule, pour les personnes que vous avez choisies.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <ButtonLink large to={paths.registerToWrite}>
              Sceller ma première révélation
            </ButtonLink>
          </div>
        </div>
      </div>
    </div>
  )
}

function HomeHeading(props: { className: string; children: ReactNode }) {
  return <PageHeading documentTitle="Pour dire les choses à leur heure" {...props} />
}

/** Night above, dawn on the horizon; on wide screens a sealed envelope that waits for it. */
function HeroScene() {
  return (
    <div aria-hidden="true" className="absolute inset-0">
      <div className="absolute top-10 right-[max(2rem,calc(50%-33rem))] hidden w-96 rotate-3 lg:block">
        <SealedEnvelope />
      </div>
      <Hills className="absolute inset-x-0 -bottom-px h-28 w-full sm:h-36" />
    </div>
  )
}

function SealedEnvelope() {
  return (
    <div className="relative aspect-[3/2] rounded-xl border border-[#4a56a8] bg-linear-to-b from-[#2a3478] to-[#1b2250] shadow-2xl shadow-[#060919]">
      <svg
        aria-hidden="true"
        viewBox="0 0 360 240"
        className="absolute inset-0 size-full"
        fill="none"
      >
        <path d="M6 236 140 120M354 236 220 120" stroke="#5965b8" strokeOpacity="0.6" />
        <path d="M2 6Q2 1 8 1h344q6 0 6 5L198 138q-18 14-36 0Z" fill="#343f8c" />
        <path d="M2 6 162 138q18 14 36 0L358 6" stroke="#6f7cc4" strokeOpacity="0.8" />
      </svg>
      <WaxSeal
        initial="R"
        elapsed={0.72}
        className="absolute top-[34%] left-1/2 size-32 -translate-x-1/2"
      />
    </div>
  )
}
