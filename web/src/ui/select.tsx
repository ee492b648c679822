import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, type FieldTexts, FormField } from './form-field.tsx'

interface Option<Value extends string> {
  value: Value
  label: string
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'id' | 'children'>, FieldTexts {
  options: readonly Option<string>[]
}

/** The system's own list: the best one on a phone. */
export function Select({
  label,
  hint,
  error,
  optional,
  hideLabel,
  options,
  className,
  ...select
}: SelectProps) {
  return (
    <FormField {...{ label, hint, error, optional, hideLabel, className }}>
      {(control) => (
        <div className="relative">
          <select
            {...select}
            {...control}
            className={classNames(controlClass, 'appearance-none truncate pr-10')}
          >
            {options.map(({ value, label: text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-ink-soft"
          />
        </div>
      )}
    </FormField>
  )
}
