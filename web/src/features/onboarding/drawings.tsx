/* One drawing a step, in the colours of the night: what is closed is blue, what is warm is wax, ember or paper. */

const FOLD = '#46519c'
const EDGE = '#6f7cc4'
const PAPER = '#fbf6ec'
const LIGHT = '#f6c987'
const WAX = '#b3263a'

/** A small disc of wax. */
function Seal({ x, y, size = 13 }: { x: number; y: number; size?: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 13})`}>
      <circle r="13" fill={WAX} />
      <circle r="8.5" stroke="#7c1526" strokeWidth="1.6" />
      <path d="M-9-5q3-5 8-6" stroke="#f3b5bc" strokeOpacity="0.7" strokeWidth="1.4" />
    </g>
  )
}

function Envelope({ x, y, width = 120 }: { x: number; y: number; width?: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${width / 120})`}>
      <rect width="120" height="78" rx="6" fill="#2a3478" stroke={FOLD} strokeWidth="1.5" />
      <path d="m2 76 44-36M118 76 74 40" stroke="#5965b8" strokeOpacity="0.7" />
      <path d="M1 4q0-4 5-4h108q5 0 5 4L68 46q-8 6-16 0Z" fill="#343f8c" stroke={EDGE} />
    </g>
  )
}

export function Welcome() {
  return (
    <>
      <path d="M262 28a21 21 0 1 0 16 35 25 25 0 0 1-16-35Z" fill={LIGHT} />
      <circle cx="160" cy="98" r="74" fill="#e9803a" fillOpacity="0.1" />
      <Envelope x={88} y={54} width={144} />
      <Seal x={160} y={110} size={21} />
    </>
  )
}

export function Prediction() {
  return (
    <>
      <circle cx="252" cy="40" r="30" fill={LIGHT} fillOpacity="0.14" />
      <path d="m252 20 5 15 15 5-15 5-5 15-5-15-15-5 15-5Z" fill={LIGHT} />
      <path d="M196 70 232 50" stroke={LIGHT} strokeDasharray="1 7" strokeWidth="2.4" />
      <path d="M0 170v-18q90-26 170-10t150-12v40Z" fill="#141a3f" />
      <path d="M132 104 104 152M136 104l24 46M134 104v50" stroke={EDGE} strokeWidth="4" />
      <g transform="rotate(-29 134 100)">
        <rect x="84" y="88" width="78" height="24" rx="5" fill="#343f8c" stroke={EDGE} />
        <rect x="158" y="84" width="32" height="32" rx="6" fill="#46519c" stroke={EDGE} />
        <rect x="72" y="92" width="14" height="16" rx="4" fill={WAX} />
      </g>
    </>
  )
}

export function Delivery() {
  return (
    <>
      <path
        d="M24 142c40 14 74 4 92-22s4-44-14-34 0 46 42 40c30-4 46-20 62-38"
        stroke={EDGE}
        strokeDasharray="1 8"
        strokeWidth="2.4"
      />
      <path d="m290 28-92 36 34 18Z" fill={PAPER} />
      <path d="m290 28-58 54 8 40Z" fill="#d9cdb8" />
      <path d="m232 82 8 40 12-28Z" fill="#b9ab93" />
      <path d="m290 28-38 66 24 14Z" fill="#fffdf8" />
      <Seal x={256} y={66} size={9} />
    </>
  )
}

export function Capsule() {
  return (
    <>
      <circle cx="160" cy="86" r="76" fill="#e9803a" fillOpacity="0.08" />
      <path d="M122 24h76M122 148h76" stroke={LIGHT} strokeWidth="8" />
      <path
        d="M130 30c0 34 24 40 24 56s-24 22-24 56h60c0-34-24-40-24-56s24-22 24-56Z"
        fill="#2a3478"
        fillOpacity="0.85"
        stroke={EDGE}
        strokeWidth="2.5"
      />
      <path d="M139 54h42c-5 14-15 20-17 28h-8c-2-8-12-14-17-28Z" fill="#e9803a" />
      <path d="M136 138c2-16 14-22 24-26 10 4 22 10 24 26Z" fill={LIGHT} />
      <path d="M160 86v24" stroke={LIGHT} strokeDasharray="1 6" strokeWidth="3" />
    </>
  )
}

const LANTERNS = [
  [62, 66, 0.9],
  [128, 84, 1.1],
  [196, 82, 1.1],
  [260, 62, 0.9],
] as const

export function Lanterns() {
  return (
    <>
      <path d="M10 22q150 74 300 0" stroke={EDGE} strokeWidth="2.5" />
      {LANTERNS.map(([x, y, size]) => (
        <g key={x} transform={`translate(${x} ${y}) scale(${size})`}>
          <circle cy="14" r="40" fill="#e9803a" fillOpacity="0.16" />
          <path d="M0-28v20" stroke={EDGE} strokeWidth="2" />
          <path d="M-15-8q15-8 30 0v40q-15 8-30 0Z" fill="#e9803a" />
          <path d="M-8-9q8-5 16 0v42q-8 5-16 0Z" fill={LIGHT} />
          <path d="M-13-9h26M-13 33h26" stroke="#7c1526" strokeWidth="4" />
        </g>
      ))}
      <path d="M0 170v-14q110-22 320-4v18Z" fill="#141a3f" />
    </>
  )
}

export function ThreeSteps() {
  return (
    <>
      <path d="M92 88h34M194 88h34" stroke={LIGHT} strokeDasharray="1 8" strokeWidth="3" />
      <rect x="28" y="52" width="56" height="72" rx="5" fill={PAPER} />
      <path d="M38 70h36M38 82h30M38 94h34M38 106h18" stroke="#c9b99b" strokeWidth="3" />
      <path d="m96 62-28 44-9 6 2-11 28-44Z" fill={WAX} />
      <rect x="132" y="54" width="56" height="68" rx="7" fill="#2a3478" stroke={EDGE} />
      <path d="M132 72h56" stroke={EDGE} strokeWidth="2" />
      <path d="M147 46v14M173 46v14" stroke={LIGHT} strokeWidth="4" />
      <circle cx="171" cy="103" r="9" fill="#e9803a" />
      <path d="M144 86h6M157 86h6M170 86h6M144 101h6M157 101h4" stroke={EDGE} strokeWidth="4" />
      <Envelope x={232} y={66} width={68} />
      <Seal x={266} y={94} size={11} />
    </>
  )
}

export function Start() {
  return (
    <>
      <circle cx="160" cy="168" r="112" fill="#fff1cf" fillOpacity="0.25" />
      <circle cx="160" cy="168" r="74" fill="#fff1cf" fillOpacity="0.6" />
      <path d="M104 40h112v104q0 6-6 6H110q-6 0-6-6Z" fill={PAPER} />
      <path d="M122 66h52M122 84h76M122 102h66" stroke="#c9b99b" strokeWidth="4" />
      <path d="M122 122h22" stroke={WAX} strokeWidth="4" />
      <path d="m244 36-72 78-24 12 10-26 72-78Z" fill={WAX} />
      <path d="m158 100-10 26 24-12Z" fill="#f3d9b0" />
      <path d="m230 22 14 14 6-8-12-12Z" fill="#7c1526" />
    </>
  )
}
