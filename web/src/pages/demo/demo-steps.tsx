import { CalendarClock, type LucideIcon, PenLine, Stamp, Sunrise } from 'lucide-react'
import type { CSSProperties } from 'react'
import { classNames } from '#web/ui/class-names.ts'

interface Step {
  icon: LucideIcon
  title: string
  words: string
  /** How much light there is on it: from night to day as one reads on. */
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
    words: 'À l’heure dite, sur la page et par mail, pour les personnes que vous avez choisies.',
    light: 2,
  },
]

/** How it works, from night to day. */
export function DemoSteps() {
  return (
    <section aria-labelledby="etapes" className="content pt-14 sm:pt-18">
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
        isDay ? 'sky-paper bg-surface' : 'sky-night night-card',
      )}
      style={isDay ? undefined : ({ '--dawn': light } as CSSProperties)}
    >
      <div className="flex items-center justify-between">
        <Icon aria-hidden="true" className={isDay ? 'size-7 text-wax-ink' : 'size-7 text-ember'} />
        <span aria-hidden="true" className="digits font-semibold text-ink-soft text-sm">
          {number} / {STEPS.length}
        </span>
      </div>
      <h3 className="mt-2 text-xl">{title}</h3>
      <p className={isDay ? 'text-ink-soft' : 'text-ink'}>{words}</p>
    </li>
  )
}
