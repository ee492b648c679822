/** Hills before dawn: a few fixed stars, and the first light behind them. */
export function Horizon() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1200 300"
      preserveAspectRatio="xMidYMax slice"
      className="pointer-events-none absolute inset-0 size-full"
    >
      <defs>
        <radialGradient id="first-light" cx="0.78" cy="1" r="0.55">
          <stop offset="0" stopColor="#e9803a" stopOpacity="0.55" />
          <stop offset="0.45" stopColor="#b3263a" stopOpacity="0.22" />
          <stop offset="1" stopColor="#b3263a" stopOpacity="0" />
        </radialGradient>
      </defs>
      <g fill="#fff" fillOpacity="0.26">
        <circle cx="520" cy="46" r="1.4" />
        <circle cx="612" cy="96" r="1" />
        <circle cx="704" cy="34" r="1.6" />
        <circle cx="806" cy="78" r="1.1" />
        <circle cx="932" cy="40" r="1.4" />
        <circle cx="1064" cy="92" r="1" />
        <circle cx="1150" cy="30" r="1.6" />
        <circle cx="90" cy="30" r="1.2" />
        <circle cx="260" cy="22" r="1.4" />
      </g>
      <rect width="1200" height="300" fill="url(#first-light)" />
      <path d="M0 276q180-34 380-12t420-16 400 12v40H0z" fill="#0b1029" fillOpacity="0.75" />
      <path d="M0 292q260-22 560-6t640-10v24H0z" fill="#070b1f" fillOpacity="0.85" />
    </svg>
  )
}
