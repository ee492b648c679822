import { ChartColumn, Table } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { Button } from './button.tsx'
import { isYear, MonthsChart, monthNames, type Series } from './months-chart.tsx'
import { Panel } from './panel.tsx'

interface MonthsPanelProps {
  title: string
  intro: string
  /** Of the table, for whoever hears it. */
  caption: string
  /** « 2026-11 », or years where months would be too many. */
  months: readonly string[]
  series: readonly Series[]
  /** In the place of the charts while there is nothing to draw. */
  nothing: ReactNode
}

/** What was counted in each month, as charts and as a table. */
export function MonthsPanel({ title, intro, caption, months, series, nothing }: MonthsPanelProps) {
  const [isTable, setTable] = useState(false)
  const id = useId()
  const hasNothing = series.every(({ values }) => values.every((value) => value === 0))
  return (
    <Panel
      title={title}
      intro={intro}
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
      {hasNothing ? nothing : !isTable && <MonthsChart months={months} series={series} />}
      {/* Always rendered for screen readers, which cannot read the chart. */}
      <div id={id} className={isTable ? 'overflow-x-auto' : 'sr-only'}>
        <MonthsTable {...{ caption, months, series }} />
      </div>
    </Panel>
  )
}

/** Months to come, where nothing is counted yet. */
export function QuietMonths({ children }: { children: ReactNode }) {
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
      <p className="max-w-md text-ink-soft">{children}</p>
    </div>
  )
}

const PLACES = [18, 30, 22, 44, 28, 52, 34, 40, 58, 30, 46, 62]
  .map((height, index) => `M${index * 20 + 4} 70v${-height}h12v${height}`)
  .join('')

function MonthsTable({
  caption,
  months,
  series,
}: Pick<MonthsPanelProps, 'caption' | 'months' | 'series'>) {
  return (
    <table className="w-full border-collapse text-sm sm:text-base">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-line-strong border-b text-left align-bottom max-sm:text-xs">
          <th scope="col" className="py-2 pr-2 font-semibold">
            {months.every(isYear) ? 'Année' : 'Mois'}
          </th>
          {series.map(({ label }) => (
            <th key={label} scope="col" className="px-1 py-2 text-right font-semibold">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {months.map((month, at) => (
          <tr key={month} className="border-line border-b last:border-0">
            <th scope="row" className="py-2 pr-2 text-left font-normal">
              <span aria-hidden="true" className="whitespace-nowrap sm:hidden">
                {monthNames(month).dated}
              </span>
              <span className="inline-block first-letter:uppercase max-sm:sr-only">
                {monthNames(month).long}
              </span>
            </th>
            {series.map(({ label, values }) => (
              <td key={label} className="tabular-digits px-1 py-2 text-right">
                {formatCount(values[at] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
