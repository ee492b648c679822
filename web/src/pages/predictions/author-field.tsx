import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { FoundAuthors } from './found-authors.tsx'

const SEARCH_DELAY_MS = 300

interface AuthorFieldProps {
  authorId: string | undefined
  onChange: (authorId: string | undefined) => void
}

/** Whose predictions: everybody’s, or those of the one person that is chosen by a part of their pseudo. */
export function AuthorField({ authorId, onChange }: AuthorFieldProps) {
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
