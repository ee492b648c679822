import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, type FieldTexts, FormField } from './form-field.tsx'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id'>, FieldTexts {
  /** A control inside the field, at its end. */
  trailing?: ReactNode
}

export function TextField({
  label,
  hint,
  error,
  optional,
  hideLabel,
  trailing,
  className,
  ...input
}: TextFieldProps) {
  return (
    <FormField {...{ label, hint, error, optional, hideLabel, className }}>
      {(control) => (
        <div className="relative">
          <input
            type="text"
            {...input}
            {...control}
            className={classNames(controlClass, trailing ? 'pr-12' : undefined)}
          />
          {trailing && <div className="absolute top-0.5 right-0.5">{trailing}</div>}
        </div>
      )}
    </FormField>
  )
}
