import { paths } from '#web/app/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { PredictionTab } from './use-prediction-filters.ts'

const TEXTS: Record<PredictionTab, { title: string; words: string }> = {
  'a-venir': {
    title: 'Rien n’est encore scellé',
    words:
      'Écrivez ce qui arrivera, choisissez la date. La première prédiction peut être la vôtre.',
  },
  devoilees: {
    title: 'Aucune prédiction ne s’est encore ouverte',
    words: 'Celles qui attendent s’ouvriront ici, à leur heure.',
  },
}

interface NoPredictionsProps {
  tab: PredictionTab
  isFiltered: boolean
  onClear: () => void
}

export function NoPredictions({ tab, isFiltered, onClear }: NoPredictionsProps) {
  const { title, words } = TEXTS[tab]
  return (
    <EmptyState
      drawing={<Telescope />}
      title={isFiltered ? 'Aucune prédiction trouvée' : title}
      action={
        isFiltered ? (
          <Button variant="secondary" onClick={onClear}>
            Effacer les filtres
          </Button>
        ) : (
          <ButtonLink to={paths.create}>Sceller une prédiction</ButtonLink>
        )
      }
    >
      {isFiltered ? 'Aucune ne répond à ces filtres pour l’instant.' : words}
    </EmptyState>
  )
}

/** On a hill at night, turned to a star that is yet to rise. */
function Telescope() {
  return (
    <svg aria-hidden="true" viewBox="0 0 240 150" className="w-60">
      <rect width="240" height="150" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.3">
        <circle cx="30" cy="34" r="1.3" />
        <circle cx="66" cy="20" r="1.6" />
        <circle cx="104" cy="42" r="1" />
        <circle cx="148" cy="24" r="1.2" />
        <circle cx="222" cy="70" r="1.1" />
        <circle cx="24" cy="82" r="1" />
      </g>
      <path d="m196 22 3.2 8.8 8.8 3.2-8.8 3.2-3.2 8.8-3.2-8.8-8.8-3.2 8.8-3.2z" fill="#f6c987" />
      <path
        d="M0 124q58-30 124-14t116-8v34a14 14 0 0 1-14 14H14a14 14 0 0 1-14-14z"
        fill="#141a3f"
      />
      <path
        d="m118 90-17 34M118 90l3 36M118 90l20 31"
        stroke="#8b93cf"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <g transform="rotate(-32 118 84)">
        <rect x="80" y="74" width="30" height="16" rx="4" fill="#6d77bd" />
        <rect x="106" y="71" width="52" height="22" rx="5" fill="#aeb7ea" />
        <rect x="154" y="68" width="8" height="28" rx="3" fill="#e9803a" />
      </g>
    </svg>
  )
}
