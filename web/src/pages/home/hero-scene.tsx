import { WaxSeal } from '#web/ui/wax-seal.tsx'

/** Night above, dawn on the horizon; on wide screens a sealed envelope that waits for it. */
export function HeroScene() {
  return (
    <div aria-hidden="true" className="absolute inset-0">
      <div className="absolute top-10 right-[max(2rem,calc(50%-33rem))] hidden w-96 rotate-3 lg:block">
        <SealedEnvelope />
      </div>
      <Hills />
    </div>
  )
}

function SealedEnvelope() {
  return (
    <div className="relative aspect-[3/2] rounded-xl border border-[#4a56a8] bg-linear-to-b from-[#2a3478] to-[#1b2250] shadow-2xl shadow-[#060919]">
      <svg
        aria-hidden="true"
        viewBox="0 0 360 240"
        className="absolute inset-0 size-full"
        fill="none"
      >
        <path d="M6 236 140 120M354 236 220 120" stroke="#5965b8" strokeOpacity="0.6" />
        <path d="M2 6Q2 1 8 1h344q6 0 6 5L198 138q-18 14-36 0Z" fill="#343f8c" />
        <path d="M2 6 162 138q18 14 36 0L358 6" stroke="#6f7cc4" strokeOpacity="0.8" />
      </svg>
      <WaxSeal
        initial="R"
        elapsed={0.72}
        className="absolute top-[34%] left-1/2 size-32 -translate-x-1/2"
      />
    </div>
  )
}

function Hills() {
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
