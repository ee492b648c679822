import { Search, X } from 'lucide-react'
import { type ComponentProps, type ReactNode, type RefObject, useRef } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { controlClass, type FieldTexts, FormField } from './form-field.tsx'

interface SearchFieldProps
  extends Omit<ComponentProps<'input'>, 'id' | 'type' | 'value' | 'onChange' | 'ref'>,
    Pick<FieldTexts, 'label' | 'hint' | 'hideLabel'> {
  value: string
  onChange: (value: string) => void
  /** What the cross does, unless it only empties the field. */
  onClear?: () => void
  /** Where the cross will stand, as long as nothing is typed. */
  end?: ReactNode
  ref?: RefObject<HTMLInputElement | null>
}

/** A field one searches in, with its glass and the cross that empties it. */
export function SearchField({
  label,
  hint,
  hideLabel,
  value,
  onChange,
  onClear = () => onChange(''),
  end,
  ref,
  className,
  ...input
}: SearchFieldProps) {
  const own = useRef<HTMLInputElement>(null)
  const field = ref ?? own
  return (
    <FormField {...{ label, hint, hideLabel, className }}>
      {(control) => (
        <div className="relative">
          <Search
            aria-hidden="true"
            className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3.5 size-5 text-ink-soft"
          />
          <input
            enterKeyHint="search"
            autoComplete="off"
            {...input}
            {...control}
            ref={field}
            type="search"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={classNames(
              controlClass,
              'pr-12 pl-11 [&::-webkit-search-cancel-button]:hidden',
            )}
          />
          {value ? (
            <IconButton
              label="Effacer la recherche"
              icon={<X aria-hidden="true" className="size-5" />}
              className="absolute top-0.5 right-0.5"
              onClick={() => {
                onClear()
                field.current?.focus()
              }}
            />
          ) : (
            end
          )}
        </div>
      )}
    </FormField>
  )
}
