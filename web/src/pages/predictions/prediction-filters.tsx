import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { OUTCOMES, type OutcomeFilter } from '#contract/predictions.ts'
import { CATEGORIES, type Category } from '#contract/revelations.ts'
import { OUTCOME_LABELS } from '#web/features/predictions/outcome-labels.ts'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { userSearchQuery } from '#web/features/relationships/relationships.queries.ts'
import { CATEGORY_LABELS } from '#web/features/revelations/revelation-labels.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { useDebounced } from '#web/lib/hooks.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import type { PredictionFilters } from './use-prediction-filters.ts'

const CATEGORY_OPTIONS = [
  { value: '', label: 'Catégories' },
  ...CATEGORIES.map((value) => ({ value, label: CATEGORY_LABELS[value].label })),
]

const OUTCOME_OPTIONS = [
  { value: '', label: 'Issues' },
  ...OUTCOMES.map((value) => ({ value, label: OUTCOME_LABELS[value].label })),
  { value: 'none', label: 'Sans issue déclarée' },
]

const ORDERS = {
  'a-venir': ['Plus proches', 'Plus lointaines'],
  devoilees: ['Plus récentes', 'Plus anciennes'],
} as const

interface PredictionFieldsProps {
  filters: PredictionFilters
  onChange: (change: Partial<PredictionFilters>) => void
}

export function PredictionFields({ filters, onChange }: PredictionFieldsProps) {
  const { tab, category, outcome, author, isNearestFirst } = filters
  const [nearest, farthest] = ORDERS[tab]
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <div className="col-span-2 sm:col-span-1">
        <AuthorField authorId={author} onChange={(chosen) => onChange({ author: chosen })} />
      </div>
      <Select
        label="Catégorie"
        hideLabel
        options={CATEGORY_OPTIONS}
        value={category ?? ''}
        onChange={({ target }) => onChange({ category: (target.value || undefined) as Category })}
      />
      {tab === 'devoilees' && (
        <Select
          label="Issue"
          hideLabel
          options={OUTCOME_OPTIONS}
          value={outcome ?? ''}
          onChange={({ target }) =>
            onChange({ outcome: (target.value || undefined) as OutcomeFilter })
          }
        />
      )}
      <Select
        label="Ordre"
        hideLabel
        className={tab === 'devoilees' ? 'col-span-2 sm:col-span-1' : undefined}
        options={[
          { value: 'near', label: nearest },
          { value: 'far', label: farthest },
        ]}
        value={isNearestFirst ? 'near' : 'far'}
        onChange={({ target }) => onChange({ isNearestFirst: target.value === 'near' })}
      />
    </div>
  )
}

const SEARCH_DELAY_MS = 300

interface AuthorFieldProps {
  authorId: string | undefined
  onChange: (authorId: string | undefined) => void
}

/** Everybody’s predictions, or those of one author found by a part of their pseudo. */
function AuthorField({ authorId, onChange }: AuthorFieldProps) {
  return authorId ? (
    <Chosen authorId={authorId} onClear={() => onChange(undefined)} />
  ) : (
    <AuthorSearch onChoose={onChange} />
  )
}

function Chosen({ authorId, onClear }: { authorId: string; onClear: () => void }) {
  const { data } = useQuery(profileQuery(authorId))
  const pseudo = data?.user.pseudo
  return (
    <div className="flex min-h-12 items-center gap-2 rounded-field border border-wax-ink bg-surface pl-3">
      {pseudo && <Avatar name={pseudo} src={data.user.avatar_url} className="size-7 text-xs" />}
      <p className="min-w-0 flex-1 truncate">
        <span className="text-ink-soft">De </span>
        <strong>{pseudo ? `@${pseudo}` : 'cet auteur'}</strong>
      </p>
      <IconButton
        label="De tous les auteurs"
        icon={<X aria-hidden="true" className="size-5" />}
        onClick={onClear}
      />
    </div>
  )
}

function AuthorSearch({ onChoose }: { onChoose: (authorId: string) => void }) {
  const [text, setText] = useState('')
  const q = useDebounced(text.trim(), SEARCH_DELAY_MS)
  return (
    <div>
      <SearchField
        label="Auteur, par une partie de son pseudo"
        hideLabel
        placeholder="De tous les auteurs"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={setText}
        className="[&_input::placeholder]:text-ink"
      />
      {q !== '' && <FoundAuthors q={q} onChoose={onChoose} />}
    </div>
  )
}

const SHOWN = 6

interface FoundAuthorsProps {
  q: string
  onChoose: (authorId: string) => void
}

function FoundAuthors({ q, onChoose }: FoundAuthorsProps) {
  const { data: people, error } = useQuery(userSearchQuery(q))
  if (error) return <Answer>{errorSentence(error, 'Erreur API')}</Answer>
  if (!people) return null
  if (people.length === 0) return <Answer>Aucun auteur de ce nom</Answer>
  return (
    <ul
      aria-label="Auteurs trouvés"
      className="mt-1.5 rounded-field border border-line bg-surface p-1"
    >
      {people.slice(0, SHOWN).map(({ id, pseudo, avatar_url }) => (
        <li key={id}>
          <button
            type="button"
            className="flex min-h-11 w-full items-center gap-2.5 rounded-[8px] px-2 text-left hover:bg-sunken"
            onClick={() => onChoose(id)}
          >
            <Avatar name={pseudo} src={avatar_url} className="size-8 text-sm" />
            <span className="min-w-0 truncate font-semibold">@{pseudo}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Answer({ children }: { children: string }) {
  return (
    <p role="status" className="mt-1.5 rounded-field bg-sunken px-3 py-2.5 text-ink-soft text-sm">
      {children}
    </p>
  )
}
