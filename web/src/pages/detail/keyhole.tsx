interface KeyholeProps {
  /** Whether there is light behind it. */
  isLit?: boolean
}

/** A door in the night. */
export function Keyhole({ isLit = true }: KeyholeProps) {
  return (
    <svg aria-hidden="true" viewBox="0 0 200 150" className="w-48">
      <rect width="200" height="150" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.28">
        <circle cx="30" cy="26" r="1.3" />
        <circle cx="62" cy="52" r="1" />
        <circle cx="164" cy="22" r="1.5" />
        <circle cx="178" cy="66" r="1.1" />
        <circle cx="24" cy="92" r="1.1" />
      </g>
      <path d="M64 150V66a36 36 0 0 1 72 0v84z" fill="#141a3f" stroke="#323b78" strokeWidth="2" />
      <path
        d="M100 78a10 10 0 0 1 5.6 18.3L109 116H91l3.4-19.7A10 10 0 0 1 100 78z"
        fill={isLit ? '#f6c987' : '#0b1030'}
        stroke={isLit ? undefined : '#5662b0'}
        strokeWidth="1.5"
      />
    </svg>
  )
}
