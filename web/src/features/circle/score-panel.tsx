import type { CircleStatistics } from '#contract/circle.ts'
import { counted, formatCount } from '#web/lib/format.ts'
import { Panel } from '#web/ui/panel.tsx'

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
                <dd className="tabular-digits font-semibold">
                  {counted(points, 'point', 'points')}
                </dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 border-line border-t pt-3 text-ink-soft text-sm">
            {next
              ? `Encore ${counted(next.points, 'point', 'points')} pour «\u202F${next.label}\u202F».`
              : `Le score s’arrête à ${SCORE_MAX}.`}{' '}
            Engagement moyen&#8239;:{' '}
            <strong className="tabular-digits text-ink">{formatCount(average_engagement)}</strong>,
            soit dix fois le nombre de réactions et de commentaires par livraison.
          </p>
        </div>
      </div>
    </Panel>
  )
}

const CENTRE = 100
const RADIUS = 82

/** Half a ring, with the marks where the label changes; the figure stands in it. */
function ScoreGauge({ score }: { score: number }) {
  return (
    <div>
      <svg aria-hidden="true" viewBox="0 0 200 112" className="w-full" fill="none">
        <path d={ARC} className="stroke-line" strokeLinecap="round" strokeWidth="16" />
        {score > 0 && (
          <path
            d={ARC}
            pathLength={SCORE_MAX}
            strokeDasharray={`${score} ${SCORE_MAX * 2}`}
            strokeLinecap="round"
            strokeWidth="16"
            className={score >= 60 ? 'stroke-leaf' : score >= 40 ? 'stroke-ember' : 'stroke-wax'}
          />
        )}
        {SCORE_STEPS.map((points) => (
          <path key={points} d={markAt(points)} className="stroke-surface" strokeWidth="3" />
        ))}
        <text
          x={CENTRE}
          y="88"
          textAnchor="middle"
          className="tabular-digits fill-ink font-bold text-[3rem]"
        >
          {score}
        </text>
        <text x={CENTRE} y="108" textAnchor="middle" className="fill-ink-soft text-sm">
          sur {SCORE_MAX}
        </text>
      </svg>
      <p className="sr-only">{`${score} sur ${SCORE_MAX}`}</p>
    </div>
  )
}

const ARC = `M${CENTRE - RADIUS} ${CENTRE} A${RADIUS} ${RADIUS} 0 0 1 ${CENTRE + RADIUS} ${CENTRE}`

function markAt(points: number): string {
  const angle = Math.PI * (1 - points / SCORE_MAX)
  const at = (radius: number) =>
    `${(CENTRE + radius * Math.cos(angle)).toFixed(1)} ${(CENTRE - radius * Math.sin(angle)).toFixed(1)}`
  return `M${at(RADIUS - 9)} L${at(RADIUS + 9)}`
}

/** From how many points on the score has another label (behaviour.md 10.4). */
const SCORE_STEPS = [40, 60, 80] as const
const SCORE_MAX = 100

const STEP_LABELS = { 40: 'Moyenne', 60: 'Bonne', 80: 'Excellente' } as const

/** What is missing for the next label; undefined at the last one. */
function nextStep(score: number): { points: number; label: string } | undefined {
  const step = SCORE_STEPS.find((points) => score < points)
  return step && { points: step - score, label: STEP_LABELS[step] }
}

/** Where the points come from; together they may be more than the score, which ends at a hundred. */
function scoreParts(statistics: CircleStatistics): { what: string; points: number }[] {
  const { total_members, total_revelations, average_engagement } = statistics
  return [
    { what: '10 par membre', points: 10 * total_members },
    { what: '5 par livraison', points: 5 * total_revelations },
    { what: '2 par point d’engagement', points: 2 * average_engagement },
  ]
}
