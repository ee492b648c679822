import { Upload as UploadIcon } from 'lucide-react'
import { useId } from 'react'
import { ACCEPTED_FILES } from '#contract/media.ts'
import { classNames } from '#web/ui/class-names.ts'
import { FieldError } from '#web/ui/form-field.tsx'
import { useFileDrop } from './use-file-drop.ts'

interface FileDropProps {
  label: string
  hint: string
  /** What the file picker offers; all accepted types by default. */
  accept?: string
  /** Several at once. */
  multiple?: boolean
  error?: string | undefined
  onChoose: (files: [File, ...File[]]) => void
}

/** Chooses a file, or several, by drop or with the file picker. */
export function FileDrop({
  label,
  hint,
  accept = ACCEPTED_FILES,
  multiple = false,
  error,
  onChoose,
}: FileDropProps) {
  const id = useId()
  const choose = ([first, ...others]: Iterable<File>) => {
    if (first) onChoose(multiple ? [first, ...others] : [first])
  }
  const { isOver, target } = useFileDrop(choose)
  return (
    <div className="flex flex-col gap-1.5">
      <div
        {...target}
        className={classNames(
          'relative flex flex-col items-center gap-1 rounded-card border-2 border-dashed px-4 py-7 text-center transition-colors',
          'has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2',
          isOver ? 'border-wax-ink bg-sunken' : 'border-line-strong hover:bg-sunken',
        )}
      >
        <UploadIcon aria-hidden="true" className="mb-1 size-8 text-wax-ink" />
        <label htmlFor={id} className="font-semibold after:absolute after:inset-0">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-ink-soft text-sm">
          {hint}
        </p>
        <input
          id={id}
          type="file"
          accept={accept}
          multiple={multiple}
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
          aria-invalid={error ? true : undefined}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onChange={({ target: input }) => {
            choose(input.files ?? [])
            // The same file may be chosen again after it was removed.
            input.value = ''
          }}
        />
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
