import { ArrowRight, CalendarClock, type LucideIcon, PenLine, Stamp, Sunrise } from 'lucide-react'
import { type CSSProperties, useEffect } from 'react'
import { Link } from 'react-router'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { RevelationSource } from '#web/features/revelations/revelations.queries.ts'
import { useCountdown } from '#web/lib/clock.ts'
import { markVisited } from '#web/lib/first-visit.ts'
import { paths } from '#web/lib/paths.ts'
import Hills from '#web/ui/art/hills.svg?react'
import { ButtonLink } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { DemoSamples, LIVE_PLACE } from './demo-samples.tsx'
import { useSamples } from './samples.ts'

/** The first page of a new visitor: a letter opens while they look. */
export function DemoPage() {
  const { live, samples, run, refresh, again } = useSamples()
  // A visitor is led here once, whichever way they came.
  useEffect(markVisited, [])
  return (
    <>
      <DemoBanner />
      <DemoHero live={live} />
      <RevelationSource value={refresh}>
        <DemoSamples samples={samples} run={run} onAgain={again} />
      </RevelationSource>
      <DemoSteps />
      <DemoEnd />
    </>
  )
}

function DemoBanner() {
  return (
    <aside
      aria-label="Démonstration"
      className="theme-night border-line border-b bg-surface text-ink text-sm"
    >
      <div className="container-page flex min-h-12 items-center justify-between gap-3">
        <p className="py-2 leading-snug">
          <strong className="font-semibold">Démonstration</strong>
          <span className="text-ink-soft"> · tout y est inventé</span>
        </p>
        <Link
          to={paths.home}
          className="-mr-2 inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-field px-2 font-semibold underline decoration-line-strong underline-offset-4 hover:decoration-current"
        >
          <span className="sm:hidden">Accueil</span>
          <span className="max-sm:hidden">Retour à l’accueil</span>
          <ArrowRight aria-hidden="true" className="size-4" />
        </Link>
      </div>
    </aside>
  )
}

function DemoHero({ live }: { live: Revelation }) {
  return (
    <div className="theme-night bg-hero relative overflow-hidden text-ink">
      <Hills className="absolute inset-x-0 -bottom-px h-28 w-full sm:h-36" />
      <div className="container-page relative pt-6 pb-20 sm:pt-10 sm:pb-28">
        <div>
          <PageHeading
            documentTitle="Démonstration"
            className="text-[1.9rem] leading-[1.1] sm:text-5xl"
          >
            Une lettre va s’ouvrir sous vos yeux.
          </PageHeading>
          <p className="mt-3 max-w-2xl text-ink-soft text-lg">
            Ici, on écrit aujourd’hui ce qui se lira le jour dit. Jusque-là, personne d’autre que
            son auteur ne l’ouvre.
          </p>
          <p className="mt-4 sm:text-lg">
            <a
              href={`#${LIVE_PLACE}`}
              className="inline-flex min-h-11 items-center gap-3 rounded-full border border-line-strong bg-surface/80 px-4 font-semibold hover:bg-surface"
            >
              <Wait live={live} />
            </a>
          </p>
        </div>
      </div>
    </div>
  )
}

function Wait({ live }: { live: Revelation }) {
  const countdown = useCountdown(live.reveal_date)
  if (live.is_revealed) return <>Elle vient de s’ouvrir</>
  return (
    <>
      La prochaine s’ouvre dans
      <span aria-hidden="true" className="tabular-digits text-[#f6c987]">
        {countdown}
      </span>
      <span className="sr-only">moins d’une minute</span>
    </>
  )
}

interface Step {
  icon: LucideIcon
  title: string
  words: string
  /** The light of the tile, from night to day. */
  light: number
}

const STEPS: Step[] = [
  {
    icon: PenLine,
    title: 'Écrivez',
    words: 'Une annonce, une prédiction, une lettre. Joignez une vidéo, une photo ou votre voix.',
    light: 0,
  },
  {
    icon: CalendarClock,
    title: 'Choisissez le jour',
    words: 'Ce soir, dans un an, pour ses dix-huit ans. Et qui pourra lire, ce jour-là.',
    light: 0.35,
  },
  {
    icon: Stamp,
    title: 'Elle attend, scellée',
    words: 'On voit son titre et son compte à rebours. Ses mots, personne d’autre que vous.',
    light: 1,
  },
  {
    icon: Sunrise,
    title: 'Elle s’ouvre toute seule',
    words: 'À l’heure dite, sur la page et par e-mail, pour les personnes que vous avez choisies.',
    light: 2,
  },
]

function DemoSteps() {
  return (
    <section aria-labelledby="etapes" className="container-page pt-14 sm:pt-18">
      <h2 id="etapes" className="text-2xl sm:text-3xl">
        Comment une lettre attend son heure
      </h2>
      <ol className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {STEPS.map((step, index) => (
          <StepTile key={step.title} step={step} number={index + 1} />
        ))}
      </ol>
    </section>
  )
}

function StepTile({ step, number }: { step: Step; number: number }) {
  const { icon: Icon, title, words, light } = step
  const isDay = light > 1
  return (
    <li
      className={classNames(
        'flex flex-col gap-2 rounded-card border border-line p-5 pb-7 text-ink shadow-soft',
        isDay ? 'theme-paper bg-surface' : 'theme-night bg-night-card',
      )}
      style={isDay ? undefined : ({ '--dawn': light } as CSSProperties)}
    >
      <div className="flex items-center justify-between">
        <Icon aria-hidden="true" className={isDay ? 'size-7 text-wax-ink' : 'size-7 text-ember'} />
        <span aria-hidden="true" className="tabular-digits font-semibold text-ink-soft text-sm">
          {number} / {STEPS.length}
        </span>
      </div>
      <h3 className="mt-2 text-xl">{title}</h3>
      <p className={isDay ? 'text-ink-soft' : 'text-ink'}>{words}</p>
    </li>
  )
}

function DemoEnd() {
  const { user } = useSession()
  return (
    <section aria-labelledby="a-vous" className="container-page pt-14 text-center sm:pt-18">
      <h2 id="a-vous" className="text-2xl sm:text-3xl">
        Et vous, qu’avez-vous à dire plus tard&#8239;?
      </h2>
      <div className="mx-auto mt-6 flex max-w-xl flex-col justify-center gap-3 sm:flex-row">
        <ButtonLink large to={user ? paths.create : paths.registerToWrite}>
          {user ? 'Créer une révélation' : 'Sceller ma première révélation'}
        </ButtonLink>
        <ButtonLink large variant="secondary" to={paths.home}>
          Retour à l’accueil
        </ButtonLink>
      </div>
    </section>
  )
}
