/** A house at night with its window lit: somebody waits there for a visit. */
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
