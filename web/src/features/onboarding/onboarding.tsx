import { useQueryClient } from '@tanstack/react-query'
import { Compass } from 'lucide-react'
import { type CSSProperties, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { markOnboarded, type User } from '#contract/profiles.ts'
import { sessionQuery } from '#web/features/auth/auth.queries.ts'
import { callApi } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import Capsule from '#web/ui/art/onboarding-capsule.svg?react'
import Delivery from '#web/ui/art/onboarding-delivery.svg?react'
import Lanterns from '#web/ui/art/onboarding-lanterns.svg?react'
import Prediction from '#web/ui/art/onboarding-prediction.svg?react'
import Start from '#web/ui/art/onboarding-start.svg?react'
import ThreeSteps from '#web/ui/art/onboarding-three-steps.svg?react'
import Welcome from '#web/ui/art/onboarding-welcome.svg?react'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** Opens the first time a new account is on the home page: never over a letter. */
export function FirstOnboarding({ user }: { user: User }) {
  const { pathname } = useLocation()
  const [state, setState] = useState<'waiting' | 'open' | 'over'>('waiting')
  if (state === 'waiting' && !user.onboarded && pathname === paths.home) setState('open')
  if (state !== 'open') return null
  return (
    <OnboardingDialog
      onClose={() => setState('over')}
      returnTo={() => document.querySelector('main')}
    />
  )
}

export function OnboardingPanel() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Panel title="Découvrir" intro="Ce que l’on peut faire ici, en sept images.">
      <Button
        ref={button}
        variant="secondary"
        icon={<Compass aria-hidden="true" className="size-5" />}
        className="max-sm:w-full"
        onClick={() => setOpen(true)}
      >
        Revoir la présentation
      </Button>
      {isOpen && (
        <OnboardingDialog onClose={() => setOpen(false)} returnTo={() => button.current} />
      )}
    </Panel>
  )
}

interface OnboardingDialogProps {
  onClose: () => void
  /** What gets the focus afterwards. */
  returnTo: () => HTMLElement | null
}

/** Seven steps, also by arrow keys; the person may leave at each. */
function OnboardingDialog({ onClose, returnTo }: OnboardingDialogProps) {
  useMarkOnboarded()
  const navigate = useNavigate()
  const { step, isLast, go, next, focusNext } = useSteps()
  const { title, text } = STEPS[step] ?? { title: '', text: '' }
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
        <p className="min-h-25 text-lg sm:min-h-14 leading-snug">{text}</p>
        <StepDots step={step} count={STEPS.length} title={title} />
      </div>
    </Dialog>
  )
}

function useSteps() {
  const [step, setStep] = useState(0)
  const next = useRef<HTMLButtonElement>(null)
  // The primary button has the focus at each step.
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

/** « Retour » is not on every step: when it disappears with the focus, « Suivant » gets it. */
function Arrows({ go, next }: ArrowsProps) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'ArrowRight') go(1)
      if (event.key === 'ArrowLeft') go(-1)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [go])
  useEffect(() => {
    if (document.activeElement === document.body) next.current?.focus()
  })
  return null
}

const DRAWINGS = [Welcome, Prediction, Delivery, Capsule, Lanterns, ThreeSteps, Start]

interface StepDrawingProps {
  step: number
  count: number
}

/** The drawing of a step, under a sky that gets lighter with each. */
function StepDrawing({ step, count }: StepDrawingProps) {
  const Drawing = DRAWINGS[step]
  const isLast = step === count - 1
  return (
    <div
      aria-hidden="true"
      className={`overflow-hidden rounded-card border border-line ${isLast ? 'bg-dawn' : 'bg-night-card'}`}
      style={{ '--dawn': step / (count - 1) } as CSSProperties}
    >
      {Drawing && <Drawing key={step} className="step-in w-full" />}
    </div>
  )
}

interface StepDotsProps {
  step: number
  count: number
  title: string
}

/** Dots, and a text for screen readers. */
function StepDots({ step, count, title }: StepDotsProps) {
  return (
    <div className="flex justify-center gap-2">
      <p role="status" className="sr-only">
        Étape {step + 1} sur {count}&#8239;: {title}
      </p>
      {Array.from({ length: count }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: dots never change places
          key={index}
          aria-hidden="true"
          className={classNames(
            'h-2 rounded-full transition-[width,background-color] duration-200',
            index === step ? 'w-6 bg-[#f6c987]' : 'w-2 bg-line-strong',
          )}
        />
      ))}
    </div>
  )
}

interface Step {
  title: string
  text: string
}

/** In the order of behaviour.md 1.3. */
const STEPS: readonly Step[] = [
  {
    title: 'Bienvenue',
    text: 'Ici, ce que vous écrivez attend son heure. Voici, en moins d’une minute, ce que vous pouvez confier à la nuit.',
  },
  {
    title: 'Prédictions publiques',
    text: 'Dites avant tout le monde ce qui va arriver. Le jour venu, chacun lit ce que vous aviez scellé, et juge.',
  },
  {
    title: 'Livraisons privées',
    text: 'Une lettre, une vidéo, un document pour une personne, à la date choisie. Elle reçoit un lien à elle, même sans compte.',
  },
  {
    title: 'Capsules temporelles',
    text: 'Écrivez à la personne que vous serez dans un an, ou dans dix. Vous la recevrez ce jour-là, comme venue de loin.',
  },
  {
    title: 'Vos proches',
    text: 'Vos amis et votre famille voient ce que vous leur réservez. Le Cercle Privé garde vos voix, vos dates et vos lettres.',
  },
  {
    title: 'Comment ça marche',
    text: 'Écrivez, choisissez le jour, scellez. À l’heure dite, la lettre s’ouvre toute seule et son destinataire est prévenu.',
  },
  {
    title: 'À vous',
    text: 'Commencez petit\u202F: trois lignes pour vous-même, à ouvrir dans un mois. Elles n’attendent que leur jour.',
  },
]

/** Marks the account once the presentation has opened, wherever the person stops. */
function useMarkOnboarded(): void {
  const client = useQueryClient()
  useEffect(() => {
    const user = client.getQueryData(sessionQuery.queryKey)
    if (!user || user.onboarded) return
    const mark = async () => {
      await callApi(markOnboarded)
      client.setQueryData(sessionQuery.queryKey, (known) =>
        known?.id === user.id ? { ...known, onboarded: true } : known,
      )
    }
    // Without an answer, the presentation opens once more another day.
    mark().catch(() => undefined)
  }, [client])
}
