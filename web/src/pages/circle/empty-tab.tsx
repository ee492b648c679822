import type { ComponentProps } from 'react'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** An empty tab; on a phone its drawing is moved up into the margin under the tabs. */
export function EmptyTab(props: ComponentProps<typeof EmptyState>) {
  return (
    <div className="max-sm:-mt-8">
      <EmptyState {...props} />
    </div>
  )
}

export function HouseAtNight() {
  return (
    <svg aria-hidden="true" viewBox="0 0 240 150" className="w-44 sm:w-60">
      <rect width="240" height="150" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.3">
        <circle cx="30" cy="34" r="1.3" />
        <circle cx="66" cy="20" r="1" />
        <circle cx="152" cy="22" r="1.4" />
        <circle cx="214" cy="70" r="1.1" />
        <circle cx="24" cy="78" r="1" />
      </g>
      <path d="M197 20a17 17 0 1 0 13 28 20 20 0 0 1-13-28z" fill="#f6c987" />
      <path
        d="M0 122q60-22 124-8t116-8v30a14 14 0 0 1-14 14H14a14 14 0 0 1-14-14z"
        fill="#141a3f"
      />
      <path d="M80 74h76v46H80z" fill="#323b78" />
      <path d="M70 78 118 40l48 38z" fill="#46519c" />
      <path d="M142 46h9v18l-9-7z" fill="#46519c" />
      <circle cx="102" cy="94" r="24" fill="#e9803a" fillOpacity="0.2" />
      <path d="M91 83h22v22H91z" fill="#f6c987" />
      <path d="M102 83v22M91 94h22" stroke="#b3263a" strokeWidth="2" />
      <path d="M128 90a8 8 0 0 1 16 0v30h-16z" fill="#b3263a" />
      <circle cx="140" cy="106" r="1.6" fill="#f6c987" />
      <path d="M132 120h8q4 14 26 30h-40q10-18 6-30z" fill="#6f7cc4" fillOpacity="0.4" />
    </svg>
  )
}

export function UnlitLanterns() {
  return (
    <svg aria-hidden="true" viewBox="0 0 240 150" className="w-44 sm:w-60">
      <rect width="240" height="150" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.3">
        <circle cx="26" cy="26" r="1.3" />
        <circle cx="58" cy="112" r="1" />
        <circle cx="204" cy="22" r="1.5" />
        <circle cx="220" cy="96" r="1.1" />
        <circle cx="18" cy="78" r="1" />
        <circle cx="188" cy="132" r="1.2" />
      </g>
      <ellipse
        cx="120"
        cy="76"
        rx="74"
        ry="48"
        fill="none"
        stroke="#6f7cc4"
        strokeDasharray="2 6"
        strokeLinecap="round"
        strokeWidth="2"
      />
      <circle cx="120" cy="76" r="34" fill="#e9803a" fillOpacity="0.14" />
      {LANTERNS.map(([x, y]) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
          <path d="M-8-9q8-5 16 0V9q-8 5-16 0z" fill="#2a3376" stroke="#6f7cc4" strokeWidth="1.5" />
          <path d="M-7-9H7M-7 9H7" stroke="#46519c" strokeLinecap="round" strokeWidth="3" />
        </g>
      ))}
      <path
        d="M98 62h44a3 3 0 0 1 3 3v25a3 3 0 0 1-3 3H98a3 3 0 0 1-3-3V65a3 3 0 0 1 3-3z"
        fill="#fbf6ec"
      />
      <path d="m96 64 24 17 24-17" fill="none" stroke="#d3c3a6" strokeWidth="2" />
      <circle cx="120" cy="81" r="7" fill="#b3263a" />
    </svg>
  )
}

const LANTERNS = [
  [120, 28],
  [186, 54],
  [172, 112],
  [68, 112],
  [54, 54],
] as const
