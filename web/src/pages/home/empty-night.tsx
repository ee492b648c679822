/** An open envelope under the moon, with nothing in it yet. */
export function EmptyNight() {
  return (
    <svg aria-hidden="true" viewBox="0 0 240 150" className="w-60">
      <rect x="0" y="0" width="240" height="150" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.3">
        <circle cx="34" cy="30" r="1.2" />
        <circle cx="72" cy="18" r="1.6" />
        <circle cx="118" cy="34" r="1" />
        <circle cx="160" cy="16" r="1.4" />
        <circle cx="214" cy="62" r="1.2" />
        <circle cx="22" cy="76" r="1" />
      </g>
      <path d="M197 20a17 17 0 1 0 13 28 20 20 0 0 1-13-28z" fill="#f6c987" />
      <path d="M70 78 120 44l50 34v46a5 5 0 0 1-5 5H75a5 5 0 0 1-5-5z" fill="#2a3376" />
      <path d="M70 78 120 44l50 34-50 32z" fill="#141a3f" />
      <path d="M70 80v44a5 5 0 0 0 5 5h90a5 5 0 0 0 5-5V80l-43 29q-7 5-14 0z" fill="#323b78" />
      <path d="m72 128 40-32M168 128l-40-32" stroke="#1b2250" strokeWidth="1.5" />
    </svg>
  )
}
