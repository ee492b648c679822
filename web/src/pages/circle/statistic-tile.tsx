import { formatShortCount } from '#web/lib/counts.ts'

interface StatisticTileProps {
  value: number
  one: string
  many: string
  /** Of what, in a few words. */
  detail: string
  format?: (value: number) => string
}

export function StatisticTile({
  value,
  one,
  many,
  detail,
  format = formatShortCount,
}: StatisticTileProps) {
  return (
    <div className="flex flex-col-reverse justify-end rounded-card border border-line bg-surface p-4 shadow-soft">
      <dt className="leading-tight">
        <span className="font-semibold">{value < 2 ? one : many}</span>
        <span className="block text-ink-soft text-sm">{detail}</span>
      </dt>
      <dd className="digits font-bold text-3xl leading-tight">{format(value)}</dd>
    </div>
  )
}
