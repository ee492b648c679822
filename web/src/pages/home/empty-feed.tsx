import { paths } from '#web/app/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { EmptyNight } from './empty-night.tsx'
import { type HomeFilters, toQuery } from './use-feed-filters.ts'

interface EmptyFeedProps {
  filters: HomeFilters
  onClear: () => void
}

export function EmptyFeed({ filters, onClear }: EmptyFeedProps) {
  const isFiltered = Object.keys(toQuery(filters)).length > 0
  return (
    <EmptyState
      drawing={<EmptyNight />}
      title="Aucune révélation trouvée"
      action={
        isFiltered ? (
          <Button variant="secondary" onClick={onClear}>
            Effacer la recherche et les filtres
          </Button>
        ) : (
          <ButtonLink to={paths.create}>Sceller la première</ButtonLink>
        )
      }
    >
      {isFiltered
        ? 'Rien ne répond à ces mots et à ces filtres pour l’instant.'
        : 'La nuit est encore vide. La première lettre peut être la vôtre.'}
    </EmptyState>
  )
}
