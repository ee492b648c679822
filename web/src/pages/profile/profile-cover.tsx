/** The sky above a person: night, and the first light behind the hills. */
export function ProfileCover() {
  return (
    <div aria-hidden="true" className="sky-night hero-sky relative h-32 overflow-hidden sm:h-44">
      <svg
        aria-hidden="true"
        viewBox="0 0 1440 120"
        preserveAspectRatio="none"
        className="absolute inset-x-0 -bottom-px h-20 w-full sm:h-24"
      >
        <path
          d="M0 72C200 30 380 26 560 54s320 34 500 2 270-30 380-6v70H0Z"
          fill="#5a2c52"
          fillOpacity="0.55"
        />
        <path d="M0 92c220-34 420-18 640 2s420 18 800-22v48H0Z" fill="#2b1d46" fillOpacity="0.8" />
        <path d="M0 108c260-18 520-10 760 0s470 8 680-10v22H0Z" fill="var(--page)" />
      </svg>
    </div>
  )
}
