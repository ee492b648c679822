/** Lanterns in a ring, not lit yet, around a place for the first letter. */
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
