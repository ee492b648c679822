import { Check, Clock, type LucideIcon, X } from 'lucide-react'
import type { Verdict } from '#contract/proofs/verdict.ts'
import {
  type Mark,
  markOf,
  sentenceOf,
  titleOf,
  verdictInWords,
} from '#contract/proofs/verdict-in-words.ts'
import { classNames } from '#web/ui/class-names.ts'
import { formatProvedInstant } from './proved-instant.ts'

const PROVED = 'bg-leaf text-on-leaf'
const WRONG = 'bg-wax text-on-wax'
const NEUTRAL = 'bg-sunken text-ink-soft'

const VERDICT_MARKS = {
  proved: { Icon: Check, mark: PROVED, ink: 'text-leaf-ink' },
  partly: { Icon: Clock, mark: NEUTRAL, ink: 'text-ink' },
  unproved: { Icon: undefined, mark: NEUTRAL, ink: 'text-ink' },
  failed: { Icon: X, mark: WRONG, ink: 'text-error-ink' },
} as const satisfies Record<
  Verdict['state'],
  { Icon: LucideIcon | undefined; mark: string; ink: string }
>

/** The verdict over all steps: green only when it is proved. */
export function VerdictLines({ verdict }: { verdict: Verdict }) {
  const { Icon, mark, ink } = VERDICT_MARKS[verdict.state]
  const [headline, ...sentences] = verdictInWords(verdict, formatProvedInstant)
  return (
    <div className="flex items-start gap-3.5">
      <span
        aria-hidden="true"
        className={classNames(
          'grid size-10 shrink-0 place-items-center rounded-full font-semibold text-xl',
          mark,
        )}
      >
        {Icon ? <Icon className="size-6" strokeWidth={2.5} /> : '?'}
      </span>
      <div className="flex min-w-0 flex-col gap-1.5 pt-1.5 [overflow-wrap:anywhere]">
        <p
          role="status"
          className={classNames('font-semibold font-serif text-lg leading-snug sm:text-xl', ink)}
        >
          {headline}
        </p>
        {sentences.map((sentence) => (
          <p key={sentence} className="leading-snug">
            {sentence}
          </p>
        ))}
      </div>
    </div>
  )
}

const STEP_MARKS = {
  proved: { Icon: Check, className: PROVED },
  failed: { Icon: X, className: WRONG },
  later: { Icon: Clock, className: NEUTRAL },
  neutral: { Icon: Check, className: NEUTRAL },
} as const satisfies Record<Mark, object>

export function VerdictSteps({ verdict }: { verdict: Verdict }) {
  return (
    <ol className="flex flex-col gap-3.5">
      {verdict.steps.map((step) => {
        const { mark, label } = markOf(step, verdict)
        const { Icon, className } = STEP_MARKS[mark]
        return (
          <li key={step.name} className="flex gap-3">
            <span
              className={classNames(
                'mt-0.5 grid size-6 shrink-0 place-items-center rounded-full',
                className,
              )}
            >
              <Icon aria-hidden="true" className="size-4" strokeWidth={2.5} />
              <span className="sr-only">{label}&#8239;: </span>
            </span>
            <div className="min-w-0 leading-snug [overflow-wrap:anywhere]">
              <p className="font-semibold">{titleOf(step.name)}</p>
              <p className="text-ink-soft">{sentenceOf(step, formatProvedInstant)}</p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
