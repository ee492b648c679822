import type { CircleStatistics } from '#contract/circle.ts'
import type { Series } from '#web/ui/months-chart.tsx'
import { MonthsPanel, QuietMonths } from '#web/ui/months-panel.tsx'

type ActivityMonth = CircleStatistics['months'][number]

const KINDS: (Pick<Series, 'label' | 'form' | 'tone'> & {
  kind: Exclude<keyof ActivityMonth, 'month'>
})[] = [
  { kind: 'deliveries', label: 'Livraisons', form: 'bars', tone: 'wax' },
  { kind: 'sounds', label: 'Messages vocaux', form: 'bars', tone: 'ember' },
  { kind: 'interactions', label: 'Interactions', form: 'line', tone: 'leaf' },
]

/** Twelve months of the circle. */
export function ActivityPanel({ months }: { months: readonly ActivityMonth[] }) {
  return (
    <MonthsPanel
      title="Activité"
      intro="Les douze derniers mois de votre cercle"
      caption="Activité du cercle, mois par mois"
      months={months.map(({ month }) => month)}
      series={KINDS.map(({ kind, ...series }) => ({
        ...series,
        values: months.map((month) => month[kind]),
      }))}
      nothing={
        <QuietMonths>
          Rien encore ces douze derniers mois. La première livraison dressera la première barre.
        </QuietMonths>
      }
    />
  )
}
