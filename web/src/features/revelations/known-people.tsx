import { useQuery } from '@tanstack/react-query'
import { Check, Contact, House, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { RecentRecipient } from '#contract/deliveries.ts'
import type { Relationship } from '#contract/relationships.ts'
import { relationshipsQuery } from '#web/features/relationships/relationships.queries.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { foldText, formatList } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { hasDeviceContacts, pickDeviceContacts } from './device-contacts.ts'
import { recentRecipientsQuery } from './recent-recipients.queries.ts'
import type { DraftRecipient } from './recipients.ts'

interface KnownPeopleProps {
  isChosen: (person: DraftRecipient) => boolean
  onAdd: (people: readonly DraftRecipient[]) => void
  onRemove: (people: readonly DraftRecipient[]) => void
}

// As many as two lines of a phone have room for.
const SHOWN = 5
const SEARCHED_FROM = 12

/** Those one wrote to lately, then family and friends by name, to choose or leave out at a touch. */
export function KnownPeople({ isChosen, onAdd, onRemove }: KnownPeopleProps) {
  const { data: relationships = [] } = useQuery(relationshipsQuery)
  const { data: recent = [] } = useQuery(recentRecipientsQuery)
  const [isWhole, setWhole] = useState(false)
  const [q, setQ] = useState('')
  const { groups, family, unproved, count } = sortOut(relationships, recent)
  if (count === 0 && !hasDeviceContacts()) return null

  const toggle = (some: readonly DraftRecipient[], areChosen: boolean) =>
    areChosen ? onRemove(some) : onAdd(some)
  const isFamilyChosen = family.every(isChosen)
  const hasAll = isWhole || count <= SHOWN * 2
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {hasAll && count >= SEARCHED_FROM && (
        <SearchField label="Chercher parmi vos proches" value={q} onChange={setQ} hideLabel />
      )}
      {groups.map(({ name, people }) => {
        const found = people.filter((person) =>
          foldText(person.name || person.email).includes(foldText(q.trim())),
        )
        const shown = hasAll ? found : people.slice(0, SHOWN)
        if (shown.length === 0) return null
        return (
          <fieldset key={name} className="min-w-0">
            <legend className="mb-1.5 font-semibold text-ink-soft text-sm">{name}</legend>
            <div className="flex flex-wrap gap-2">
              {name === 'Famille' && family.length > 1 && (
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
                  {person.name || person.email}
                </Choice>
              ))}
            </div>
          </fieldset>
        )
      })}
      <div className="flex flex-wrap gap-x-4">
        {!hasAll && (
          <Button variant="ghost" className="-ml-4" onClick={() => setWhole(true)}>
            Voir les {count}
          </Button>
        )}
        {hasDeviceContacts() && (
          <Button
            variant="ghost"
            className="-ml-4"
            icon={<Contact aria-hidden="true" className="size-5" />}
            onClick={async () => onAdd(await pickDeviceContacts())}
          >
            Mes contacts
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
    </div>
  )
}

/**
 * Everybody once. Who is of the family or a friend stands there, whoever one wrote to last first; the others one wrote to lately
 * stand above.
 */
function sortOut(relationships: readonly Relationship[], recent: readonly RecentRecipient[]) {
  const lastOf = (address: string) => {
    const at = recent.findIndex(({ email }) => isSameAddress(email, address))
    return at === -1 ? recent.length : at
  }
  const ofType = (type: Relationship['relationship_type']) =>
    relationships
      .filter(({ relationship_type }) => relationship_type === type)
      .flatMap(({ related_user: { pseudo, email } }) =>
        email === null ? [] : [{ email, name: nameOf(pseudo, email, recent) }],
      )
      .toSorted((a, b) => lastOf(a.email) - lastOf(b.email) || a.name.localeCompare(b.name, 'fr'))
  const family = ofType('family')
  const friends = ofType('friend')
  const tied = [...family, ...friends]
  const others = recent
    .filter(({ email }) => !tied.some((person) => isSameAddress(person.email, email)))
    .map(({ email, name }) => ({ email, name: name ?? '' }))
  return {
    groups: [
      { name: 'Récents', people: others },
      { name: 'Famille', people: family },
      { name: 'Amis', people: friends },
    ],
    family,
    count: tied.length + others.length,
    unproved: relationships
      .filter((one) => one.relationship_type === 'family' && one.related_user.email === null)
      .map(({ related_user: { pseudo } }) => pseudo),
  }
}

/** As the author called them last, else by their pseudo. */
function nameOf(pseudo: string, address: string, recent: readonly RecentRecipient[]): string {
  return recent.find(({ email }) => isSameAddress(email, address))?.name ?? pseudo
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
