import type { ComponentProps } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { classNames } from './class-names.ts'
import { controlClass, type FieldTexts, FormField } from './form-field.tsx'

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'maxLength'>, FieldTexts {
  /** Shows how many characters are left of so many; typing more stays possible and is refused by the form. */
  limit?: number
  /** The length now, when `limit` is given. */
  length?: number
  /** Words of a letter, in the letter's own type. */
  serif?: boolean
}

export function TextArea({
  label,
  hint,
  error,
  optional,
  hideLabel,
  limit,
  length = 0,
  serif,
  className,
  ...area
}: TextAreaProps) {
  const counter = limit !== undefined && (
    <span
      className={classNames(
        'tabular-digits ml-auto shrink-0',
        length > limit ? 'font-semibold text-error-ink' : 'text-ink-soft',
      )}
    >
      {formatCount(length)} / {formatCount(limit)}
      <span className="sr-only"> caractères</span>
    </span>
  )
  return (
    <FormField {...{ label, hint, error, optional, hideLabel, className }} aside={counter}>
      {(control) => (
        <textarea
          rows={5}
          {...area}
          {...control}
          className={classNames(
            controlClass,
            'field-sizing-content min-h-32 resize-y leading-relaxed',
            serif && 'font-serif text-letter-ink text-lg',
          )}
        />
      )}
    </FormField>
  )
}
