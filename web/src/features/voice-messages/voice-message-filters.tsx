import { memo, useMemo } from 'react'
import { foldText } from '#web/lib/format.ts'
import { SearchBox } from '#web/ui/search-box.tsx'
import { Select } from '#web/ui/select.tsx'
import type { VoiceMessage } from './voice-message.ts'

interface VoiceMessageFiltersProps {
  filter: VoiceMessageFilter
  voiceMessages: readonly VoiceMessage[]
  onChange: (filter: VoiceMessageFilter) => void
  /** The person is about to choose: the names of all authors are needed. */
  onAuthorsNeeded: () => void
}

export function VoiceMessageFilters({ voiceMessages, ...rest }: VoiceMessageFiltersProps) {
  // Compared by value: most pages bring no new author.
  const authors = JSON.stringify(authorsOf(voiceMessages))
  return <Fields authors={useMemo<Authors>(() => JSON.parse(authors), [authors])} {...rest} />
}

type Authors = [id: string, pseudo: string][]

interface FieldsProps extends Omit<VoiceMessageFiltersProps, 'voiceMessages'> {
  authors: Authors
}

const Fields = memo(function Fields({ filter, authors, onChange, onAuthorsNeeded }: FieldsProps) {
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
        onFocus={onAuthorsNeeded}
        onChange={(event) =>
          onChange({ ...filter, kind: event.target.value as VoiceMessageFilter['kind'] })
        }
      />
    </div>
  )
})

function authorsOf(voiceMessages: readonly VoiceMessage[]): Authors {
  const authors = new Map(
    voiceMessages.map(({ author_id, author_pseudo }) => [author_id, author_pseudo]),
  )
  return [...authors].sort(([, a], [, b]) => a.localeCompare(b, 'fr'))
}

export interface VoiceMessageFilter {
  /** Words of a title or of a pseudo. */
  q: string
  kind: 'all' | 'favorites' | 'upcoming' | 'mine' | `from:${string}`
}

export const NO_FILTER: VoiceMessageFilter = { q: '', kind: 'all' }

export function isFiltered({ q, kind }: VoiceMessageFilter): boolean {
  return q !== '' || kind !== 'all'
}

export function filterVoiceMessages(
  voiceMessages: readonly VoiceMessage[],
  { q, kind }: VoiceMessageFilter,
  viewerId: string,
): readonly VoiceMessage[] {
  if (!isFiltered({ q, kind })) return voiceMessages
  const words = foldText(q).split(/\s+/).filter(Boolean)
  return voiceMessages.filter((voiceMessage) => {
    const text = foldText(`${voiceMessage.title} @${voiceMessage.author_pseudo}`)
    return isOfKind(voiceMessage, kind, viewerId) && words.every((word) => text.includes(word))
  })
}

function isOfKind(
  voiceMessage: VoiceMessage,
  kind: VoiceMessageFilter['kind'],
  viewerId: string,
): boolean {
  if (kind === 'favorites') return voiceMessage.is_favorite
  if (kind === 'upcoming') return !voiceMessage.is_revealed
  if (kind === 'mine') return voiceMessage.recipient_id === viewerId
  return kind === 'all' || voiceMessage.author_id === kind.slice('from:'.length)
}
