import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Relationship, RelationshipType } from '#contract/relationships.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatElapsed } from '#web/lib/dates.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EndDialog } from './end-dialog.tsx'
import { PersonList, PersonRow } from './person-row.tsx'
import { TYPE_WORDS, UNVERIFIED } from './relationship-types.tsx'

interface RelatedPanelProps {
  type: RelationshipType
  relationships: Relationship[]
}

export function RelatedPanel({ type, relationships }: RelatedPanelProps) {
  const [ending, setEnding] = useState<Relationship>()
  const people = relationships.filter(({ relationship_type }) => relationship_type === type)
  return (
    <Panel title={`${TYPE_WORDS[type].many} (${people.length})`}>
      {people.length === 0 ? (
        <p className="text-ink-soft">
          {type === 'friend'
            ? 'Aucun ami pour l’instant.'
            : 'Personne de la famille pour l’instant.'}
        </p>
      ) : (
        <PersonList>
          {people.map((relationship) => (
            <PersonRow
              key={relationship.id}
              person={relationship.related_user}
              details={[
                relationship.related_user.email ?? UNVERIFIED,
                sinceWhen(relationship.created_at),
              ]}
              actions={
                <IconButton
                  label={`Supprimer @${relationship.related_pseudo}`}
                  icon={<Trash2 aria-hidden="true" className="size-5" />}
                  onClick={() => setEnding(relationship)}
                />
              }
            />
          ))}
        </PersonList>
      )}
      <EndDialog
        relationshipId={ending?.id}
        pseudo={ending?.related_pseudo ?? ''}
        onClose={() => setEnding(undefined)}
      />
    </Panel>
  )
}

function sinceWhen(instant: string): string {
  const elapsed = formatElapsed(instant, serverNow())
  return elapsed ? `depuis ${elapsed}` : 'depuis aujourd’hui'
}
