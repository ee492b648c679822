import { Camera, ImagePlus } from 'lucide-react'
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ACCEPTED_FILES } from '#contract/media.ts'
import { Button } from '#web/ui/button.tsx'

interface AddFilesProps {
  /** What the button says. */
  children: string
  /** What the choice is called. */
  label: string
  onAdd: (files: File[]) => void
}

const ICON = { 'aria-hidden': true, className: 'size-5' } as const

/** Chooses files of the device, several at once, or takes a picture where it has a camera. */
export function AddFiles({ children, label, onAdd }: AddFilesProps) {
  const hasCamera = useHasCamera()
  return (
    <>
      <FilesButton icon={<ImagePlus {...ICON} />} label={label} multiple onAdd={onAdd}>
        {children}
      </FilesButton>
      {hasCamera && (
        <FilesButton
          icon={<Camera {...ICON} />}
          label="Prendre une photo"
          accept="image/*"
          capture="environment"
          onAdd={onAdd}
        >
          Prendre une photo
        </FilesButton>
      )}
    </>
  )
}

interface FilesButtonProps extends AddFilesProps {
  icon: ReactNode
  accept?: string
  multiple?: boolean
  capture?: 'environment'
}

function FilesButton({
  children,
  label,
  icon,
  accept = ACCEPTED_FILES,
  onAdd,
  ...picker
}: FilesButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // The same file may be chosen again after a refusal.
    target.value = ''
    if (files.length > 0) onAdd(files)
  }
  return (
    <>
      <input
        {...picker}
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={choose}
      />
      <Button variant="secondary" icon={icon} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}

/** Only browsers of devices whose camera answers a file picker know of `capture`. */
function useHasCamera(): boolean {
  const [hasCamera, setHasCamera] = useState(false)
  useEffect(() => setHasCamera('capture' in document.createElement('input')), [])
  return hasCamera
}
