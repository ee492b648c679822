/** An empty chair under the moon. */
export function NobodyHere() {
  return (
    <svg aria-hidden="true" viewBox="0 0 200 150" className="w-48">
      <rect width="200" height="150" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.28">
        <circle cx="30" cy="26" r="1.3" />
        <circle cx="62" cy="48" r="1" />
        <circle cx="116" cy="20" r="1.5" />
        <circle cx="182" cy="74" r="1.1" />
        <circle cx="22" cy="88" r="1.1" />
      </g>
      <path d="M164 20a15 15 0 1 0 12 25 18 18 0 0 1-12-25z" fill="#f6c987" />
      <path d="M0 124q50-16 104-6t96-8v30a10 10 0 0 1-10 10H10a10 10 0 0 1-10-10z" fill="#141a3f" />
      <g fill="none" stroke="#8390d6" strokeLinecap="round" strokeLinejoin="round" strokeWidth="4">
        <path d="M80 52v76M80 94h40M120 94v34M80 56c10-4 14-4 20 0M80 74h20" />
        <path d="M100 54v40" />
      </g>
    </svg>
  )
}
