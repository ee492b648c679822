import { useId } from 'react'

interface ProgressBarProps {
  label: string
  /** From 0 to 100. */
  percent: number
  /** Beside the percent, for instance « 12 Mo sur 40 Mo ». */
  detail?: string | undefined
}

export function ProgressBar({ label, percent, detail }: ProgressBarProps) {
  const id = useId()
  const value = Math.round(Math.min(100, Math.max(0, percent)))
  return (
    <div>
      <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <span id={id} className="font-semibold">
          {label}
        </span>
        <span className="tabular-digits text-ink-soft text-sm">
          {detail && `${detail} · `}
          {value}&nbsp;%
        </span>
      </div>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={value}
        aria-valuetext={detail ? `${value}\u00A0%, ${detail}` : `${value}\u00A0%`}
        className="h-2.5 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full rounded-full bg-wax transition-[width] duration-300"
          style={{ width: `${value}%` }}
        />
      </div>
    </div>
  )
}
