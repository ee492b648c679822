import { ChartColumn, Table } from 'lucide-react'
import { useId, useState } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import {
  ACTIVITY_LABELS,
  ActivityChart,
  type ActivityKind,
  type ActivityMonth,
  isQuiet,
  monthNames,
} from './activity-chart.tsx'

/** Twelve months of the circle, as a chart and as a table. */
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
      {/* Always rendered for screen readers, which cannot read the chart. */}
      <div id={id} className={isTable ? 'overflow-x-auto' : 'sr-only'}>
        <ActivityTable months={months} />
      </div>
    </Panel>
  )
}

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

const KINDS = Object.keys(ACTIVITY_LABELS) as ActivityKind[]

function ActivityTable({ months }: { months: readonly ActivityMonth[] }) {
  return (
    <table className="w-full border-collapse text-sm sm:text-base">
      <caption className="sr-only">Activité du cercle, mois par mois</caption>
      <thead>
        <tr className="border-line-strong border-b text-left align-bottom max-sm:text-xs">
          <th scope="col" className="py-2 pr-2 font-semibold">
            Mois
          </th>
          {KINDS.map((kind) => (
            <th key={kind} scope="col" className="px-1 py-2 text-right font-semibold">
              {ACTIVITY_LABELS[kind]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {months.map((month) => (
          <tr key={month.month} className="border-line border-b last:border-0">
            <th scope="row" className="py-2 pr-2 text-left font-normal">
              <span aria-hidden="true" className="whitespace-nowrap sm:hidden">
                {monthNames(month.month).dated}
              </span>
              <span className="inline-block first-letter:uppercase max-sm:sr-only">
                {monthNames(month.month).long}
              </span>
            </th>
            {KINDS.map((kind) => (
              <td key={kind} className="tabular-digits px-1 py-2 text-right">
                {formatCount(month[kind])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
