import { House, Users } from 'lucide-react'
import {
  RELATIONSHIP_TYPES,
  REQUEST_MESSAGE_MAX_LENGTH,
  type RelationshipType,
} from '#contract/relationships.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TYPE_WORDS } from './relationship-types.tsx'

const TYPE_ICONS = {
  friend: <Users className="size-5 text-wax-ink" />,
  family: <House className="size-5 text-wax-ink" />,
} as const

interface TypeChoiceProps {
  name: string
  value: RelationshipType
  onChange: (type: RelationshipType) => void
}

export function TypeChoice({ name, value, onChange }: TypeChoiceProps) {
  return (
    <div className="[&>[role=radiogroup]>div]:grid-cols-2!">
      <ChoiceTiles
        legend="Type de relation"
        name={name}
        choices={RELATIONSHIP_TYPES.map((type) => ({
          value: type,
          label: TYPE_WORDS[type].one,
          hint: TYPE_WORDS[type].sees,
          icon: TYPE_ICONS[type],
        }))}
        value={value}
        onChange={onChange}
      />
    </div>
  )
}

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
