import { Check, Clock, X } from 'lucide-react'
import { sentenceOf, titleOf, VERDICTS } from '#contract/proofs/steps-in-words.ts'
import type { Step, StepState } from '#contract/proofs/verify-proof.ts'
import { classNames } from '#web/ui/class-names.ts'

const MARKS = {
  passed: { Icon: Check, said: 'Vérifié', look: 'bg-leaf text-on-leaf' },
  failed: { Icon: X, said: 'Ne concorde pas', look: 'bg-wax text-on-wax' },
  later: { Icon: Clock, said: 'Pas encore', look: 'bg-sunken text-ink-soft' },
} as const satisfies Record<StepState, object>

const VERDICT_INKS = {
  passed: 'text-leaf-ink',
  failed: 'text-wax-ink',
  later: 'text-ink',
} as const satisfies Record<StepState, string>

/** The sentence over all steps, told apart at a glance. */
export function VerdictLine({ state }: { state: StepState }) {
  const { Icon, look } = MARKS[state]
  return (
    <div className="flex items-center gap-3.5">
      <span className={classNames('grid size-10 shrink-0 place-items-center rounded-full', look)}>
        <Icon aria-hidden="true" className="size-6" strokeWidth={2.5} />
      </span>
      <p
        role="status"
        className={classNames(
          'min-w-0 font-semibold font-serif text-xl leading-snug',
          VERDICT_INKS[state],
        )}
      >
        {VERDICTS[state]}
      </p>
    </div>
  )
}

/** Each step with its own mark and its own sentence. */
export function VerdictSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="flex flex-col gap-3.5">
      {steps.map((step) => {
        const { Icon, said, look } = MARKS[step.state]
        return (
          <li key={step.name} className="flex gap-3">
            <span
              className={classNames(
                'mt-0.5 grid size-6 shrink-0 place-items-center rounded-full',
                look,
              )}
            >
              <Icon aria-hidden="true" className="size-4" strokeWidth={2.5} />
              <span className="sr-only">{said}&nbsp;: </span>
            </span>
            <div className="min-w-0 leading-snug">
              <p className="font-semibold">{titleOf(step.name)}</p>
              <p className="text-ink-soft">{sentenceOf(step)}</p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
