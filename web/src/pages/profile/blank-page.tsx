export function BlankPage({ className = 'w-48' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 200 140" className={className}>
      <rect width="200" height="140" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.28">
        <circle cx="28" cy="24" r="1.3" />
        <circle cx="52" cy="58" r="1" />
        <circle cx="172" cy="30" r="1.4" />
        <circle cx="182" cy="82" r="1" />
        <circle cx="24" cy="104" r="1.1" />
      </g>
      <path
        d="M66 26h58l14 14v78a4 4 0 0 1-4 4H66a4 4 0 0 1-4-4V30a4 4 0 0 1 4-4z"
        fill="#fbf6ec"
      />
      <path d="M124 26v10a4 4 0 0 0 4 4h10z" fill="#e7ddcb" />
      <path
        d="M76 54h46M76 68h46M76 82h28"
        stroke="#e7ddcb"
        strokeLinecap="round"
        strokeWidth="3"
      />
      <path d="M108 98C112 70 132 48 168 40c-4 30-24 50-52 54z" fill="#f6c987" />
      <path
        d="M104 108c8-24 26-46 50-58"
        fill="none"
        stroke="#b3263a"
        strokeLinecap="round"
        strokeWidth="2.5"
      />
    </svg>
  )
}
