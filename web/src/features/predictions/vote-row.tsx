import { OUTCOMES, type Outcome, type Prediction } from '#contract/predictions.ts'
import type { Revelation } from '#contract/revelations.ts'
import { counted, formatShortCount } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import { OUTCOME_LABELS } from './outcome-labels.ts'
import { useVote } from './predictions.queries.ts'

interface VoteRowProps {
  revelation: Revelation
  prediction: Prediction
}

/** The votes of the readers for each outcome: buttons for those who may vote. */
export function VoteRow({ revelation, prediction }: VoteRowProps) {
  const { id, title, can } = revelation
  const { votes, my_vote } = prediction
  const vote = useVote(id)
  const total = OUTCOMES.reduce((sum, outcome) => sum + votes[outcome], 0)
  const shareOf = (outcome: Outcome) => (total === 0 ? 0 : votes[outcome] / total)
  return (
    <div className="@container">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div
        role="group"
        aria-label={`Votes des lecteurs sur ${title}`}
        className="grid @min-[17rem]:grid-cols-4 grid-cols-2 gap-1.5"
      >
        {OUTCOMES.map((outcome) => {
          const cell = (
            <VoteCell outcome={outcome} votes={votes[outcome]} share={shareOf(outcome)} />
          )
          if (!can.vote)
            return (
              <div key={outcome} className={cellClass}>
                {cell}
              </div>
            )
          const isMine = my_vote === outcome
          return (
            <button
              key={outcome}
              type="button"
              aria-pressed={isMine}
              className={classNames(
                cellClass,
                'border-line-strong hover:bg-sunken active:translate-y-px',
                'aria-pressed:bg-sunken aria-pressed:shadow-[inset_0_0_0_1.5px_currentColor]',
                isMine && OUTCOME_LABELS[outcome].ink,
              )}
              onClick={() => vote(isMine ? null : outcome)}
            >
              {cell}
            </button>
          )
        })}
      </div>
    </div>
  )
}

const cellClass =
  'relative flex min-h-16 min-w-0 flex-col items-center justify-center gap-0.5 overflow-hidden rounded-field border border-line px-0.5 pt-1.5 pb-2.5 text-ink leading-tight'

interface VoteCellProps {
  outcome: Outcome
  votes: number
  share: number
}

function VoteCell({ outcome, votes, share }: VoteCellProps) {
  const { label, icon: Icon, ink, fill } = OUTCOME_LABELS[outcome]
  return (
    <>
      <span className="flex items-center gap-1.5">
        <Icon aria-hidden="true" className={`size-4 ${ink}`} />
        <span aria-hidden="true" className="tabular-digits font-bold">
          {formatShortCount(votes)}
        </span>
      </span>
      <span className="max-w-full truncate @min-[20rem]:text-xs text-[0.7rem] text-ink-soft">
        {label}
      </span>
      <span className="sr-only">, {counted(votes, 'vote', 'votes')}</span>
      <span
        aria-hidden="true"
        className={`absolute bottom-0 left-0 h-1 transition-[width] duration-300 ${fill}`}
        style={{ width: `${share * 100}%` }}
      />
    </>
  )
}
