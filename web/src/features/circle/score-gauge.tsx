import { SCORE_MAX, SCORE_STEPS } from './score.ts'

const CENTRE = 100
const RADIUS = 82

/** Half a ring, with the marks where the label changes; the figure stands in it. */
export function ScoreGauge({ score }: { score: number }) {
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
          className="digits fill-ink font-bold text-[3rem]"
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
