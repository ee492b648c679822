import { memo, useMemo } from 'react'
import type { Sound } from '#contract/sounds.ts'
import { SearchBox } from '#web/ui/search-box.tsx'
import { Select } from '#web/ui/select.tsx'
import type { SoundFilter } from './sound-filter.ts'

interface SoundFiltersProps {
  filter: SoundFilter
  sounds: readonly Sound[]
  onChange: (filter: SoundFilter) => void
  /** Somebody is about to choose: the names of all authors are wanted. */
  onWanted: () => void
}

export function SoundFilters({ sounds, ...rest }: SoundFiltersProps) {
  // Compared by what they say: a page more seldom brings somebody new.
  const authors = JSON.stringify(authorsOf(sounds))
  return <Fields authors={useMemo<Authors>(() => JSON.parse(authors), [authors])} {...rest} />
}

type Authors = [id: string, pseudo: string][]

interface FieldsProps extends Omit<SoundFiltersProps, 'sounds'> {
  authors: Authors
}

const Fields = memo(function Fields({ filter, authors, onChange, onWanted }: FieldsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-[1fr_14rem]">
      <SearchBox
        label="Rechercher un titre ou un pseudo"
        placeholder="Un titre, un pseudo"
        q={filter.q}
        onSearch={(q) => onChange({ ...filter, q })}
      />
      <Select
        label="Messages montrés"
        hideLabel
        value={filter.kind}
        options={[
          { value: 'all', label: 'Tous les messages' },
          { value: 'favorites', label: 'Favoris' },
          { value: 'upcoming', label: 'À venir' },
          { value: 'mine', label: 'Rien que pour moi' },
          ...authors.map(([id, pseudo]) => ({
            value: `from:${id}`,
            label: `De @${pseudo}`,
          })),
        ]}
        onFocus={onWanted}
        onChange={(event) =>
          onChange({ ...filter, kind: event.target.value as SoundFilter['kind'] })
        }
      />
    </div>
  )
})

function authorsOf(sounds: readonly Sound[]): Authors {
  const authors = new Map(sounds.map(({ author_id, author_pseudo }) => [author_id, author_pseudo]))
  return [...authors].sort(([, a], [, b]) => a.localeCompare(b, 'fr'))
}
