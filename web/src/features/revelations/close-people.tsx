import { useQuery } from '@tanstack/react-query'
import { Check, House, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Relationship } from '#contract/relationships.ts'
import { relationshipsQuery } from '#web/features/relationships/relationships.queries.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { foldText, formatList } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import type { DraftRecipient } from './recipients.ts'

interface ClosePeopleProps {
  recipients: readonly DraftRecipient[]
  onAdd: (people: readonly DraftRecipient[]) => void
  onRemove: (people: readonly DraftRecipient[]) => void
}

// As many as two lines of a phone have room for.
const SHOWN = 5
const SEARCHED_FROM = 12

/** Family and friends by name, to choose or leave out at a touch. Who has no proved address is named, and not offered. */
export function ClosePeople({ recipients, onAdd, onRemove }: ClosePeopleProps) {
  const { data: relationships = [] } = useQuery(relationshipsQuery)
  const [isWhole, setWhole] = useState(false)
  const [q, setQ] = useState('')
  const { people, family, unproved } = sortOut(relationships)
  if (people.length === 0) return null

  const isChosen = ({ email }: DraftRecipient) =>
    recipients.some((known) => isSameAddress(known.email, email))
  const toggle = (some: readonly DraftRecipient[], areChosen: boolean) =>
    areChosen ? onRemove(some) : onAdd(some)
  const isFamilyChosen = family.every(isChosen)
  const found = people.filter(({ name }) => foldText(name).includes(foldText(q.trim())))
  const shown = isWhole || people.length <= SHOWN + 1 ? found : people.slice(0, SHOWN)
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-semibold">Parmi vos proches</legend>
      {isWhole && people.length >= SEARCHED_FROM && (
        <SearchField label="Chercher parmi vos proches" value={q} onChange={setQ} hideLabel />
      )}
      <div className="flex flex-wrap gap-2">
        {family.length > 1 && (
          <Choice
            isChosen={isFamilyChosen}
            icon={<House aria-hidden="true" className="size-4.5" />}
            onClick={() => toggle(family, isFamilyChosen)}
          >
            Toute ma famille ({family.length})
          </Choice>
        )}
        {shown.map((person) => (
          <Choice
            key={person.email}
            isChosen={isChosen(person)}
            onClick={() => toggle([person], isChosen(person))}
          >
            {person.name}
          </Choice>
        ))}
        {shown.length < people.length && !isWhole && (
          <Button variant="ghost" onClick={() => setWhole(true)}>
            Voir les {people.length}
          </Button>
        )}
      </div>
      {unproved.length > 0 && (
        <p className="text-ink-soft text-sm">
          {formatList(unproved)}
          {unproved.length > 1
            ? ' n’ont pas d’adresse vérifiée\u202F: demandez-leur la leur.'
            : ' n’a pas d’adresse vérifiée\u202F: demandez-lui la sienne.'}
        </p>
      )}
    </fieldset>
  )
}

/** Family first, each by their pseudo. */
function sortOut(relationships: readonly Relationship[]) {
  const all = relationships
    .map(({ relationship_type, related_user: { pseudo, email } }) => ({
      isFamily: relationship_type === 'family',
      email,
      name: pseudo,
    }))
    .toSorted(
      (a, b) => Number(b.isFamily) - Number(a.isFamily) || a.name.localeCompare(b.name, 'fr'),
    )
  const proved = all.flatMap(({ isFamily, email, name }) =>
    email === null ? [] : [{ isFamily, email, name }],
  )
  return {
    people: proved.map(({ email, name }) => ({ email, name })),
    family: proved.filter(({ isFamily }) => isFamily).map(({ email, name }) => ({ email, name })),
    unproved: all
      .filter(({ isFamily, email }) => isFamily && email === null)
      .map(({ name }) => name),
  }
}

interface ChoiceProps {
  isChosen: boolean
  icon?: ReactNode
  onClick: () => void
  children: ReactNode
}

function Choice({ isChosen, icon, onClick, children }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border border-line-strong bg-surface px-4 py-1.5 text-left font-semibold transition-colors [overflow-wrap:anywhere] hover:bg-sunken aria-pressed:border-ink aria-pressed:bg-sunken aria-pressed:ring-1 aria-pressed:ring-ink aria-pressed:ring-inset"
    >
      {isChosen ? (
        <Check aria-hidden="true" strokeWidth={3} className="size-4.5 shrink-0" />
      ) : (
        (icon ?? <Plus aria-hidden="true" className="size-4.5 shrink-0 text-ink-soft" />)
      )}
      {children}
    </button>
  )
}
