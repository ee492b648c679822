import { Check } from 'lucide-react'
import { type ReactNode, type Ref, useId } from 'react'
import { classNames } from './class-names.ts'
import { FieldError } from './form-field.tsx'

interface Choice<Value extends string> {
  value: Value
  label: string
  hint?: string
  icon?: ReactNode
}

interface ChoiceTilesProps<Value extends string> {
  legend: string
  /** Keeps the legend for screen readers only. */
  hideLegend?: boolean
  name: string
  choices: readonly Choice<Value>[]
  /** Nothing is chosen until it is, where no choice goes without saying. */
  value: Value | undefined
  onChange: (value: Value) => void
  /** `tiles`: a grid of large tiles, as many as fit; `pairs`: two by two; `row`: one line of short words. */
  layout?: 'tiles' | 'pairs' | 'row'
  error?: string | undefined
  /** The chosen tile, or the first one. */
  ref?: Ref<HTMLInputElement>
}

/** One choice among a few, all of them seen: radio buttons drawn as tiles. */
export function ChoiceTiles<Value extends string>({
  legend,
  hideLegend = false,
  name,
  choices,
  value,
  onChange,
  layout = 'tiles',
  error,
  ref,
}: ChoiceTilesProps<Value>) {
  const id = useId()
  const current = choices.find((choice) => choice.value === value) ?? choices[0]
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-legend`}
      className={classNames('min-w-0', layout === 'tiles' && '@container')}
      aria-describedby={error ? `${id}-error` : undefined}
      aria-invalid={error ? true : undefined}
    >
      <p id={`${id}-legend`} className={hideLegend ? 'sr-only' : 'mb-1.5 font-semibold'}>
        {legend}
      </p>
      <div className={GROUPS[layout]}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={classNames(
              'relative flex min-h-11 items-center gap-2 transition-colors',
              'has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2',
              layout === 'row'
                ? 'flex-1 justify-center rounded-[8px] px-2 text-center font-semibold text-ink-soft text-sm hover:text-ink'
                : 'rounded-field border border-line-strong bg-surface px-3 py-2.5 hover:bg-sunken',
              'has-checked:bg-sunken has-checked:text-ink has-checked:ring-1 has-checked:ring-ink has-checked:ring-inset',
            )}
          >
            <input
              ref={choice === current ? ref : undefined}
              type="radio"
              name={name}
              value={choice.value}
              aria-invalid={error ? true : undefined}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="peer absolute inset-0 size-full appearance-none opacity-0"
            />
            <Check
              aria-hidden="true"
              strokeWidth={3}
              className="absolute top-1 right-1 hidden size-3.5 peer-checked:block"
            />
            {choice.icon && (
              <span aria-hidden="true" className="shrink-0 text-xl leading-none">
                {choice.icon}
              </span>
            )}
            <span className="min-w-0">
              {choice.label}
              {choice.hint && (
                <span className="block font-normal text-ink-soft text-sm leading-snug">
                  {choice.hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

const GROUPS = {
  // In large letters on a phone a word takes the whole line.
  tiles:
    'grid grid-cols-2 gap-2 @max-3xs:grid-cols-1 sm:grid-cols-[repeat(auto-fill,minmax(min(100%,9.5rem),1fr))]',
  pairs: 'grid grid-cols-2 gap-2',
  row: 'flex rounded-field border border-line-strong bg-surface p-px',
}
