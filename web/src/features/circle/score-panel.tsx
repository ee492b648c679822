import type { CircleStatistics } from '#contract/circle.ts'
import { counted, formatCount } from '#web/lib/counts.ts'
import { Panel } from '#web/ui/panel.tsx'
import { nextStep, SCORE_MAX, scoreParts } from './score.ts'
import { ScoreGauge } from './score-gauge.tsx'

/** How alive the circle is, and what the figure is made of. */
export function ScorePanel({ statistics }: { statistics: CircleStatistics }) {
  const { family_score, score_label, average_engagement } = statistics
  const next = nextStep(family_score)
  return (
    <Panel title="Score du cercle">
      <div className="flex flex-col items-center gap-x-8 gap-y-5 xs:flex-row md:max-lg:flex-col">
        <div className="w-44 shrink-0 text-center">
          <ScoreGauge score={family_score} />
          <p className="mt-1 font-serif font-semibold text-xl">{score_label}</p>
        </div>
        <div className="w-full min-w-0">
          <dl className="flex flex-col gap-1.5">
            {scoreParts(statistics).map(({ what, points }) => (
              <div key={what} className="flex items-baseline justify-between gap-3">
                <dt className="text-ink-soft">{what}</dt>
                <dd className="digits font-semibold">{counted(points, 'point', 'points')}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 border-line border-t pt-3 text-ink-soft text-sm">
            {next
              ? `Encore ${counted(next.points, 'point', 'points')} pour «\u00A0${next.label}\u00A0».`
              : `Le score s’arrête à ${SCORE_MAX}.`}{' '}
            Engagement moyen&nbsp;:{' '}
            <strong className="digits text-ink">{formatCount(average_engagement)}</strong>, soit dix
            fois le nombre de réactions et de commentaires par livraison.
          </p>
        </div>
      </div>
    </Panel>
  )
}
