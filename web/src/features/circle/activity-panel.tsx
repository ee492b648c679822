import { ChartColumn, Table } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ActivityChart } from './activity-chart.tsx'
import { type ActivityMonth, isQuiet } from './activity-months.ts'
import { ActivityTable } from './activity-table.tsx'

/** Twelve months of the circle: drawn, and as a table for whoever reads figures better or does not see. */
export function ActivityPanel({ months }: { months: readonly ActivityMonth[] }) {
  const [isTable, setTable] = useState(false)
  const id = useId()
  const hasNothing = isQuiet(months)
  return (
    <Panel
      title="Activité"
      intro="Les douze derniers mois de votre cercle"
      aside={
        !hasNothing && (
          <Button
            variant="ghost"
            aria-pressed={isTable}
            aria-controls={id}
            aria-label="Afficher en tableau"
            className="-mt-1.5 -mr-2"
            icon={
              isTable ? (
                <ChartColumn aria-hidden="true" className="size-5" />
              ) : (
                <Table aria-hidden="true" className="size-5" />
              )
            }
            onClick={() => setTable(!isTable)}
          >
            <span className="max-xs:hidden">{isTable ? 'Graphique' : 'Tableau'}</span>
          </Button>
        )
      }
    >
      {hasNothing ? <QuietYear /> : !isTable && <ActivityChart months={months} />}
      {/* Always there for screen readers, to whom the drawing says nothing. */}
      <div id={id} className={isTable ? 'overflow-x-auto' : 'sr-only'}>
        <ActivityTable months={months} />
      </div>
    </Panel>
  )
}

/** The places of the bars to come. */
function QuietYear() {
  return (
    <div className="flex flex-col items-center gap-4 py-2 text-center">
      <svg
        aria-hidden="true"
        viewBox="0 0 240 72"
        className="w-60 stroke-line-strong"
        fill="none"
        strokeDasharray="3 4"
      >
        <path d={PLACES} />
      </svg>
      <p className="max-w-md text-ink-soft">
        Rien encore ces douze derniers mois. La première livraison dressera la première barre.
      </p>
    </div>
  )
}

const PLACES = [18, 30, 22, 44, 28, 52, 34, 40, 58, 30, 46, 62]
  .map((height, index) => `M${index * 20 + 4} 70v${-height}h12v${height}`)
  .join('')
