import { Check, Copy } from 'lucide-react'
import { useRef } from 'react'
import { useCopy } from '#web/lib/hooks.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { controlClass } from './form-field.tsx'

interface CopyFieldProps {
  label: string
  value: string
  copyLabel: string
  copiedWords: string
  /** Said where the browser does not copy: the text is then selected. */
  refusedWords: string
  /** The button goes below the field on a phone. */
  isStacked?: boolean
}

/** A text to take along, as it is. */
export function CopyField(props: CopyFieldProps) {
  const { label, value, copyLabel, copiedWords, refusedWords, isStacked } = props
  const { result, copy } = useCopy()
  const field = useRef<HTMLInputElement>(null)
  const Icon = result?.isCopied ? Check : Copy
  return (
    <div>
      <div className={classNames('flex gap-2', isStacked && 'flex-col sm:flex-row')}>
        <input
          ref={field}
          readOnly
          aria-label={label}
          value={value}
          onFocus={(event) => event.currentTarget.select()}
          className={classNames(controlClass, 'min-w-0 flex-1 text-ellipsis')}
        />
        <Button
          variant="secondary"
          className="min-h-12 shrink-0"
          icon={<Icon aria-hidden="true" className="size-5" />}
          onClick={async () => {
            if (!(await copy(value))) field.current?.select()
          }}
        >
          {copyLabel}
        </Button>
      </div>
      <p role="status" className="mt-1 min-h-6 text-sm">
        {result?.isCopied && <span className="font-semibold text-leaf-ink">{copiedWords}</span>}
        {result?.isCopied === false && refusedWords}
      </p>
    </div>
  )
}
