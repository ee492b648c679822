import type { SoundTotals } from '#contract/sounds.ts'
import { formatShortCount } from '#web/lib/counts.ts'
import { formatTotal } from '#web/lib/durations.ts'

/** The voices of the circle in four figures. */
export function SoundFigures({ totals }: { totals: SoundTotals | undefined }) {
  return (
    <dl
      aria-label="Les messages en chiffres"
      className="-mt-9 relative grid grid-cols-4 divide-x divide-line overflow-hidden rounded-card border border-line bg-surface shadow-soft"
    >
      <Figure label={totals && totals.sounds < 2 ? 'message partagé' : 'messages partagés'}>
        {totals && formatShortCount(totals.sounds)}
      </Figure>
      <Figure label="durée totale">{totals && formatTotal(totals.duration)}</Figure>
      <Figure label={totals && totals.favorites < 2 ? 'favori' : 'favoris'}>
        {totals && formatShortCount(totals.favorites)}
      </Figure>
      <Figure label={totals && totals.plays < 2 ? 'écoute' : 'écoutes'}>
        {totals && formatShortCount(totals.plays)}
      </Figure>
    </dl>
  )
}

function Figure({ label, children }: { label: string; children: string | undefined }) {
  return (
    <div className="flex min-h-19 min-w-0 flex-col-reverse items-center justify-center px-1 py-2.5 text-center sm:min-h-22">
      <dt className="text-balance text-[0.7rem] text-ink-soft leading-tight xs:text-xs sm:text-sm">
        {label}
      </dt>
      <dd className="digits font-bold text-xl leading-tight xs:text-2xl sm:text-3xl">
        {children ?? (
          <span aria-hidden="true" className="text-ink-soft">
            –
          </span>
        )}
      </dd>
    </div>
  )
}
