/** Two lanterns on one thread, in the night. */
export function TwoLanterns() {
  return (
    <svg aria-hidden="true" viewBox="0 0 200 140" className="w-48">
      <rect width="200" height="140" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.28">
        <circle cx="26" cy="96" r="1.2" />
        <circle cx="100" cy="84" r="1.4" />
        <circle cx="180" cy="34" r="1.2" />
        <circle cx="116" cy="116" r="1" />
        <circle cx="170" cy="112" r="1.1" />
      </g>
      <path d="M0 18q60 34 100 26t100-28" fill="none" stroke="#6f7cc4" strokeWidth="2" />
      <g stroke="#6f7cc4" strokeWidth="2">
        <path d="M62 42v14M142 36v22" />
      </g>
      <circle cx="62" cy="78" r="30" fill="#e9803a" fillOpacity="0.16" />
      <circle cx="142" cy="82" r="34" fill="#e9803a" fillOpacity="0.16" />
      <path d="M48 62q14-10 28 0v30q-14 10-28 0z" fill="#f6c987" />
      <path d="M126 64q16-12 32 0v36q-16 12-32 0z" fill="#f0a860" />
      <path
        d="M50 58h24M50 96h24M129 60h26M129 104h26"
        stroke="#b3263a"
        strokeLinecap="round"
        strokeWidth="4"
      />
    </svg>
  )
}
