import { useState } from 'react'
import { formatPlace, parsePlace } from '#web/lib/durations.ts'
import { TextField } from '#web/ui/text-field.tsx'

interface PlaceFieldProps {
  label: string
  value: number
  error?: string | undefined
  onChange: (seconds: number) => void
}

/** A place in a video, typed: « 1:05,3 ». What is being typed is left alone until it is over. */
export function PlaceField({ label, value, error, onChange }: PlaceFieldProps) {
  const [typed, setTyped] = useState<string>()
  const isUnreadable = typed !== undefined && parsePlace(typed) === undefined
  const settle = () => {
    const seconds = typed === undefined ? undefined : parsePlace(typed)
    if (seconds === undefined) return
    onChange(Math.round(seconds * 10) / 10)
    setTyped(undefined)
  }
  return (
    <TextField
      label={label}
      value={typed ?? formatPlace(value)}
      error={isUnreadable ? 'Écrivez par exemple 1:05,3' : error}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        settle()
      }}
      className="digits min-w-0 flex-1"
    />
  )
}
