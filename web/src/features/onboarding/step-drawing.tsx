import type { CSSProperties, ReactNode } from 'react'
import { Capsule, Delivery, Lanterns, Prediction, Start, ThreeSteps, Welcome } from './drawings.tsx'

const DRAWINGS: readonly ReactNode[] = [
  <Welcome key="welcome" />,
  <Prediction key="prediction" />,
  <Delivery key="delivery" />,
  <Capsule key="capsule" />,
  <Lanterns key="lanterns" />,
  <ThreeSteps key="steps" />,
  <Start key="start" />,
]

interface StepDrawingProps {
  step: number
  count: number
}

/** A picture under a sky that has a little more light at each step; at the last one the sun is up. */
export function StepDrawing({ step, count }: StepDrawingProps) {
  const isLast = step === count - 1
  return (
    <div
      aria-hidden="true"
      className={`overflow-hidden rounded-card border border-line ${isLast ? 'dawn-below' : 'night-card'}`}
      style={{ '--dawn': step / (count - 1) } as CSSProperties}
    >
      <svg
        key={step}
        aria-hidden="true"
        viewBox="0 0 320 170"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="step-in w-full"
      >
        {DRAWINGS[step]}
      </svg>
    </div>
  )
}
