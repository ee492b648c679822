import { Check } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from './form-field.tsx'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'id'> {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

export function Checkbox({ label, hint, error, className, ...input }: CheckboxProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={className}>
      <label htmlFor={id} className="flex min-h-11 items-start gap-3 py-2">
        <span className="relative mt-0.5 size-6 shrink-0">
          <input
            {...input}
            id={id}
            type="checkbox"
            aria-describedby={describedBy || undefined}
            aria-invalid={error ? true : undefined}
            className="peer size-6 appearance-none rounded-md border border-line-strong bg-surface checked:border-ink checked:bg-ink aria-invalid:border-error-ink aria-invalid:ring-1 aria-invalid:ring-error-ink"
          />
          <Check
            aria-hidden="true"
            className="pointer-events-none absolute inset-1 hidden size-4 text-surface peer-checked:block"
          />
        </span>
        <span>
          <span className="font-semibold">{label}</span>
          {hint && (
            <span id={`${id}-hint`} className="block text-ink-soft text-sm">
              {hint}
            </span>
          )}
        </span>
      </label>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
