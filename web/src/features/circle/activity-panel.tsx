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
      {!isTable && <ActivityChart months={months} />}
      {hasNothing && (
        <p className="mt-3 text-center text-ink-soft">
          Rien encore ces douze derniers mois. La première livraison dressera la première barre.
        </p>
      )}
      {/* Always there for screen readers, to whom the drawing says nothing. */}
      <div id={id} className={isTable ? 'overflow-x-auto' : 'sr-only'}>
        <ActivityTable months={months} />
      </div>
    </Panel>
  )
}
