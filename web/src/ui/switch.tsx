import { type ComponentProps, type ReactNode, useId } from 'react'

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'id'> {
  label: ReactNode
  hint?: ReactNode
}

/** On or off, with effect at once. */
export function Switch({ label, hint, className, ...input }: SwitchProps) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="flex min-h-11 items-center justify-between gap-4 py-2">
        <span>
          <span className="font-semibold">{label}</span>
          {hint && (
            <span id={`${id}-hint`} className="block text-ink-soft text-sm">
              {hint}
            </span>
          )}
        </span>
        <SwitchControl {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      </label>
    </div>
  )
}

/** The switch alone: its label is around it, or in words of its own. */
export function SwitchControl(input: Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'>) {
  return (
    <span className="relative inline-flex shrink-0">
      <input
        {...input}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox tells its state by itself
        role="switch"
        className="peer h-7 w-12 appearance-none rounded-full border border-line-strong bg-sunken transition-colors checked:border-leaf checked:bg-leaf disabled:opacity-55"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-1 left-1 size-5 rounded-full bg-line-strong transition-transform peer-checked:translate-x-5 peer-checked:bg-on-leaf"
      />
    </span>
  )
}
