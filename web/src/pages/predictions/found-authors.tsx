import { useQuery } from '@tanstack/react-query'
import { userSearchQuery } from '#web/features/relationships/relationships.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Avatar } from '#web/ui/avatar.tsx'

const SHOWN = 6

interface FoundAuthorsProps {
  q: string
  onChoose: (authorId: string) => void
}

/** Who is found by a part of their pseudo. */
export function FoundAuthors({ q, onChoose }: FoundAuthorsProps) {
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
