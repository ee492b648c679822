/** The foot of a night sky: hills before dawn, the last of them in the colour of the page. */
export function Hills() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1440 200"
      preserveAspectRatio="none"
      className="absolute inset-x-0 -bottom-px h-28 w-full sm:h-36"
    >
      <path
        d="M0 120C160 60 330 40 520 84s330 58 520 6 280-52 400-10v120H0Z"
        fill="#5a2c52"
        fillOpacity="0.55"
      />
      <path d="M0 150c220-56 420-28 640 2s420 30 800-34v82H0Z" fill="#2b1d46" fillOpacity="0.8" />
      <path d="M0 178c260-30 520-18 760 0s470 14 680-18v42H0Z" fill="var(--page)" />
    </svg>
  )
}
