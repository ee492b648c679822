import { REQUEST_MESSAGE_MAX_LENGTH } from '#contract/relationships.ts'
import { TextArea } from '#web/ui/text-area.tsx'

interface MessageFieldProps {
  value: string
  onChange: (message: string) => void
  error?: string | undefined
}

export function MessageField({ value, onChange, error }: MessageFieldProps) {
  const isTooLong = value.trim().length > REQUEST_MESSAGE_MAX_LENGTH
  return (
    <TextArea
      label="Message"
      optional
      hint="Quelques mots pour que l’on vous reconnaisse."
      rows={2}
      limit={REQUEST_MESSAGE_MAX_LENGTH}
      length={value.trim().length}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={isTooLong ? 'Le message ne peut pas dépasser 300 caractères' : error}
    />
  )
}
