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
  trailing,
  className,
  ...input
}: TextFieldProps) {
  return (
    <FormField {...{ label, hint, error, optional, className }}>
      {(control) => (
        <div className="relative">
          <input
            type="text"
            {...input}
            {...control}
            className={classNames(controlClass, trailing ? 'pr-12' : undefined)}
          />
          {trailing && <div className="absolute inset-y-0 right-0">{trailing}</div>}
        </div>
      )}
    </FormField>
  )
}
