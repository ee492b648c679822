import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useMarkOnboarded } from './onboarding.queries.ts'
import { STEPS } from './onboarding-steps.ts'
import { StepDots } from './step-dots.tsx'
import { StepDrawing } from './step-drawing.tsx'

interface OnboardingDialogProps {
  onClose: () => void
  /** What the focus goes to afterwards. */
  returnTo: () => HTMLElement | null
}

/** What one can do here, in seven steps from night to dawn. Arrows turn them, and each may be the last one looks at. */
export function OnboardingDialog({ onClose, returnTo }: OnboardingDialogProps) {
  useMarkOnboarded()
  const navigate = useNavigate()
  const { step, isLast, go, next, focusNext } = useSteps()
  const { title, words } = STEPS[step] ?? { title: '', words: '' }
  const begin = () => {
    onClose()
    navigate(paths.create)
  }
  return (
    <Dialog
      open
      night
      onOpenChange={(isOpen) => !isOpen && onClose()}
      returnTo={returnTo}
      title={title}
      footer={
        <div className="flex w-full items-center gap-2">
          <Button variant="ghost" className="-ml-2 mr-auto" onClick={onClose}>
            {isLast ? 'Plus tard' : 'Passer'}
          </Button>
          {step > 0 && !isLast && (
            <Button variant="secondary" onClick={() => go(-1)}>
              Retour
            </Button>
          )}
          <Button ref={focusNext} onClick={isLast ? begin : () => go(1)}>
            {isLast ? 'Créer une révélation' : 'Suivant'}
          </Button>
        </div>
      }
    >
      <Arrows go={go} next={next} />
      <div className="flex flex-col gap-4 pt-4">
        <StepDrawing step={step} count={STEPS.length} />
        <p className="min-h-25 text-lg sm:min-h-14 leading-snug">{words}</p>
        <StepDots step={step} count={STEPS.length} title={title} />
      </div>
    </Dialog>
  )
}

function useSteps() {
  const [step, setStep] = useState(0)
  const next = useRef<HTMLButtonElement>(null)
  // The one thing to do has the focus from the start, and keeps it from step to step.
  const focusNext = useCallback((button: HTMLButtonElement | null) => {
    next.current = button
    button?.focus()
  }, [])
  const go = useCallback(
    (by: 1 | -1) => setStep((at) => Math.min(STEPS.length - 1, Math.max(0, at + by))),
    [],
  )
  return { step, isLast: step === STEPS.length - 1, go, next, focusNext }
}

interface ArrowsProps {
  go: (by: 1 | -1) => void
  next: RefObject<HTMLButtonElement | null>
}

/** « Retour » is not on every step: when it leaves with the focus, that goes on to « Suivant ». */
function Arrows({ go, next }: ArrowsProps) {
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      if (event.key === 'ArrowRight') go(1)
      if (event.key === 'ArrowLeft') go(-1)
    }
    document.addEventListener('keydown', turn)
    return () => document.removeEventListener('keydown', turn)
  }, [go])
  useEffect(() => {
    if (document.activeElement === document.body) next.current?.focus()
  })
  return null
}
