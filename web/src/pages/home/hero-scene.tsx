import { Hills } from '#web/ui/hills.tsx'
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
