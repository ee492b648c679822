import { classNames } from './class-names.ts'

const OUTLINE =
  'M90 50C90.1 56.2 91.1 63.2 88.9 68.7C86.6 74.2 81.3 79.5 76.3 83C71.3 86.4 65.1 87.3 59 89.3C52.9 91.3 45.7 95.8 39.8 94.9C33.8 93.9 28.1 87.8 23.3 83.5C18.4 79.2 13.5 74.5 10.7 68.9C7.9 63.3 6.7 56.3 6.7 50C6.8 43.7 8.1 36.7 11 31.2C13.8 25.7 18.9 20.8 23.8 17.2C28.8 13.6 34.7 11.4 40.8 9.5C46.8 7.7 54.2 4.7 60 6.1C65.8 7.5 70.8 13.7 75.6 18C80.3 22.2 86 26.1 88.4 31.5C90.8 36.8 89.9 43.8 90 50Z'
const CRACK = '54,-2 46,20 57,37 43,55 54,73 47,102'
const RING_RADIUS = 55
const RING_LENGTH = 2 * Math.PI * RING_RADIUS

interface WaxSealProps {
  initial: string
  /** The part of the wait that is over, from 0 to 1, drawn as a ring; without it there is no ring. */
  elapsed?: number
  /** `breaking` plays the crack once and ends as `broken`. */
  state?: 'whole' | 'breaking' | 'broken'
  className?: string
}

const HALVES = [
  { side: 'left', points: `-20,-20 ${CRACK} -20,120` },
  { side: 'right', points: `120,-20 ${CRACK} 120,120` },
]

/** What every seal is drawn of, and the envelopes around them, once in a page. */
export function WaxSealParts() {
  return (
    <svg aria-hidden="true" className="absolute size-0">
      <defs>
        <radialGradient id="wax" cx="36%" cy="30%" r="80%">
          <stop offset="0" stopColor="#d2495e" />
          <stop offset="0.45" stopColor="#b3263a" />
          <stop offset="1" stopColor="#8a1a2c" />
        </radialGradient>
        {HALVES.map(({ side, points }) => (
          <clipPath key={side} id={`wax-${side}`}>
            <polygon points={points} />
          </clipPath>
        ))}
        <g id="wax-disc">
          <path d={OUTLINE} fill="url(#wax)" />
          <circle cx="49" cy="50" r="31" fill="none" stroke="#7c1526" strokeWidth="2.5" />
          <circle
            cx="48.5"
            cy="49.4"
            r="31"
            fill="none"
            stroke="#e58490"
            strokeOpacity="0.5"
            strokeWidth="0.8"
          />
          <path
            d="M20 34C25 23 36 15 49 14"
            fill="none"
            stroke="#f3b5bc"
            strokeLinecap="round"
            strokeOpacity="0.65"
            strokeWidth="2.4"
          />
        </g>
        <g id="envelope-folds" fill="none" strokeWidth="1.2">
          <path d="M0 0H320L176 104Q160 115 144 104Z" fill="#27307044" />
          <path
            d="M0 0L144 104Q160 115 176 104L320 0"
            stroke="#5662b055"
            vectorEffect="non-scaling-stroke"
          />
          <path
            d="M0 180L122 88M320 180L198 88"
            stroke="#5662b033"
            vectorEffect="non-scaling-stroke"
          />
        </g>
      </defs>
    </svg>
  )
}

/** A disc of sealing wax. A drawing: what it means is said in words beside it. `WaxSealParts` is in the page. */
export function WaxSeal({ initial, elapsed, state = 'whole', className }: WaxSealProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox={elapsed === undefined ? '4 4 90 92' : '-12 -12 124 124'}
      className={classNames('overflow-visible', state === 'breaking' && 'is-breaking', className)}
    >
      {elapsed !== undefined && <ElapsedRing elapsed={elapsed} />}
      {state === 'whole' ? (
        <g className="seal-disc">
          <Disc initial={initial} />
        </g>
      ) : (
        HALVES.map(({ side }) => (
          <g key={side} className={`seal-half-${side}`} clipPath={`url(#wax-${side})`}>
            <Disc initial={initial} />
          </g>
        ))
      )}
    </svg>
  )
}

/** A broken seal in strokes, for paper: it is printed without grounds, and in black as well. */
export function SealImpression({ initial }: { initial: string }) {
  return (
    <svg aria-hidden="true" viewBox="2 0 92 100" fill="none" stroke="currentColor">
      <path d={OUTLINE} strokeWidth="1.5" />
      <circle cx="49" cy="50" r="33.5" strokeWidth="0.6" />
      <circle cx="49" cy="50" r="31" strokeWidth="1.6" />
      <circle cx="49" cy="50" r="36.4" strokeWidth="2" strokeDasharray="0.7 2.2" />
      <polyline points={CRACK} stroke="#fff" strokeWidth="3" strokeLinejoin="round" />
      <text
        x="49"
        y="63"
        fill="currentColor"
        stroke="none"
        fontFamily="var(--font-serif)"
        fontSize="38"
        fontWeight="500"
        textAnchor="middle"
      >
        {initial}
      </text>
    </svg>
  )
}

function Disc({ initial }: { initial: string }) {
  return (
    <>
      <use href="#wax-disc" />
      <text className="seal-edge" x="49.8" y="63.8">
        {initial}
      </text>
      <text className="seal-initial" x="49" y="63">
        {initial}
      </text>
    </>
  )
}

function ElapsedRing({ elapsed }: { elapsed: number }) {
  return (
    <g className="seal-ring" fill="none" strokeWidth="3.4" transform="rotate(-90 50 50)">
      <circle cx="50" cy="50" r={RING_RADIUS} stroke="currentColor" strokeOpacity="0.22" />
      <circle
        cx="50"
        cy="50"
        r={RING_RADIUS}
        stroke="#f0a860"
        strokeLinecap="round"
        strokeDasharray={RING_LENGTH}
        strokeDashoffset={RING_LENGTH * (1 - elapsed)}
      />
    </g>
  )
}
