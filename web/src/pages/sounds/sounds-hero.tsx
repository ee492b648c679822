import { PageHeading } from '#web/ui/page-heading.tsx'
import { RecordActions } from './record-actions.tsx'

interface SoundsHeroProps {
  onRecord: () => void
  onImport: () => void
}

/** A voice crosses the night: what this place is for, and the two ways to add to it. */
export function SoundsHero(props: SoundsHeroProps) {
  return (
    <div className="sky-night voice-sky relative overflow-hidden text-ink">
      <VoiceInTheNight />
      <div className="content relative pt-6 pb-14 sm:pt-9 sm:pb-18">
        <PageHeading className="text-[2.2rem] leading-[1.08] sm:text-5xl">
          Messages Audio
        </PageHeading>
        <p className="mt-3 max-w-lg text-ink-soft text-lg leading-snug">
          Une voix se garde mieux que des mots. Écoutez celles de votre cercle, confiez la vôtre
          pour aujourd’hui ou pour plus tard.
        </p>
        <div className="mt-5">
          <RecordActions {...props} />
        </div>
      </div>
    </div>
  )
}

const BARS = [
  10, 22, 14, 34, 52, 30, 64, 88, 58, 96, 70, 110, 82, 124, 92, 60, 104, 76, 48, 84, 56, 32, 46, 24,
  38, 18, 26, 12, 16, 8,
]

function VoiceInTheNight() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 420 140"
      className="-translate-y-1/2 absolute top-[46%] right-[max(1rem,calc(50%-35rem))] hidden w-105 lg:block"
    >
      <defs>
        <linearGradient id="voice" x1="0" x2="1" y1="0" y2="0">
          <stop offset="0" stopColor="#6f7cc4" stopOpacity="0.5" />
          <stop offset="0.45" stopColor="#c2584c" />
          <stop offset="0.7" stopColor="#f0a860" />
          <stop offset="1" stopColor="#f6c987" stopOpacity="0.35" />
        </linearGradient>
      </defs>
      <path
        d={BARS.map((height, bar) => `M${8 + bar * 14} ${70 - height / 2}v${height}`).join('')}
        stroke="url(#voice)"
        strokeWidth="6"
        strokeLinecap="round"
      />
    </svg>
  )
}
