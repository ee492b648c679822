import { House, Users } from 'lucide-react'
import { RELATIONSHIP_TYPES, type RelationshipType } from '#contract/relationships.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { TYPE_WORDS } from './relationship-words.ts'

const ICONS = {
  friend: <Users className="size-5 text-wax-ink" />,
  family: <House className="size-5 text-wax-ink" />,
} as const

interface TypeChoiceProps {
  name: string
  value: RelationshipType
  onChange: (type: RelationshipType) => void
}

/** Ami or Famille, with what each lets the person see. */
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
          icon: ICONS[type],
        }))}
        value={value}
        onChange={onChange}
      />
    </div>
  )
}
