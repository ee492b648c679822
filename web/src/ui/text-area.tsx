import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, type FieldTexts, FormField } from './form-field.tsx'
import { LengthCount } from './length-count.tsx'

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
    <LengthCount length={length} limit={limit} className="ml-auto shrink-0" />
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
