import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export interface FieldTexts {
  label: string
  /** One line of help under the label. */
  hint?: ReactNode
  /** What is wrong and what to do about it. */
  error?: string | undefined
  optional?: boolean
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean
}

interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

interface FormFieldProps extends FieldTexts {
  /** At the end of the error line, for instance a counter. */
  aside?: ReactNode
  className?: string
  children: (control: ControlProps) => ReactNode
}

/** Label, help, control and error, tied together for assistive technology. */
export function FormField({
  label,
  hint,
  error,
  optional,
  hideLabel,
  aside,
  className,
  children,
}: FormFieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [hint && hintId, error && errorId].filter(Boolean).join(' ')
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'font-semibold'}>
        {label}
        {optional && <span className="font-normal text-ink-soft"> (facultatif)</span>}
      </label>
      {hint && (
        <p id={hintId} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <div className="flex items-start gap-3 text-sm empty:hidden">
        {error && <FieldError id={errorId}>{error}</FieldError>}
        {aside}
      </div>
    </div>
  )
}

/** The sentence under a control that was refused. */
export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 font-medium text-error-ink text-sm">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {children}
    </p>
  )
}

/** How every control one types in looks. */
export const controlClass = classNames(
  'w-full min-h-12 rounded-field border border-line-strong bg-surface px-3 py-2 text-base text-ink',
  'placeholder:text-ink-soft/80 hover:border-ink-soft',
  'focus-visible:outline-offset-0 aria-invalid:border-error-ink aria-invalid:ring-1 aria-invalid:ring-error-ink',
  'disabled:opacity-60',
)
