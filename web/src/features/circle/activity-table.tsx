import { formatCount } from '#web/lib/counts.ts'
import {
  ACTIVITY_WORDS,
  type ActivityKind,
  type ActivityMonth,
  monthNames,
} from './activity-months.ts'

const KINDS = Object.keys(ACTIVITY_WORDS) as ActivityKind[]

export function ActivityTable({ months }: { months: readonly ActivityMonth[] }) {
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
              {ACTIVITY_WORDS[kind]}
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
              <td key={kind} className="digits px-1 py-2 text-right">
                {formatCount(month[kind])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
