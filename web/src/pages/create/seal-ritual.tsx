import { type ReactNode, type Ref, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { peopleInWords } from '#web/features/revelations/for-whom.ts'
import { writtenRecipients } from '#web/features/revelations/recipients.ts'
import { isPastMoment } from '#web/features/revelations/reveal-moment.ts'
import { initialOf } from '#web/lib/format.ts'
import '#web/styles/seal-ritual.css'
import { Button } from '#web/ui/button.tsx'
import { LongPressButton } from '#web/ui/long-press-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { FoldedLetter, type LetterPart, type LetterToSeal } from './folded-letter.tsx'

const LONG_PRESS_MS = 500

/** How far the sealing is: `retrying` is `sealing` whose answer was lost. */
export type SealPhase = 'idle' | 'sealing' | 'retrying' | 'sealed'

interface SealRitualProps {
  letter: LetterToSeal
  phase: SealPhase
  /** What came of the last try, above the seal; it takes the focus. */
  failure?: ReactNode
  /** Why it cannot be sealed yet, in a sentence. */
  blockedBy: string | null
  /** In the place of the seal, where something else is to be decided first; false for nothing. */
  instead?: ReactNode
  /** Below the seal: the way out of a wait. */
  back?: ReactNode
  onSeal: () => void
  onEdit: (part: LetterPart) => void
  /** It is sealed, and the eyes have seen it. */
  onSettled: () => void
}

/**
 * Reads the letter a last time and seals it: under a long press on the seal, by a tap, or by Enter. The letter folds and the
 * wax spreads while the site is asked; the seal is pressed once it has answered, and never before.
 */
export function SealRitual({
  letter,
  phase,
  failure,
  blockedBy,
  instead,
  back,
  onSeal,
  onEdit,
  onSettled,
}: SealRitualProps) {
  const id = useId()
  const { pseudo } = useSignedInUser()
  const { stage, scene, setFingerDown } = useStage(phase, onSettled)
  const [wasReleased, setReleased] = useState(false)
  const [isWarned, setWarned] = useState(false)
  const isBusy = phase !== 'idle'
  const seal = () => {
    setReleased(false)
    if (isPastMoment(letter.draft, letter.timeZone) && !isWarned) {
      setFingerDown(false)
      setWarned(true)
    } else onSeal()
  }
  return (
    <div className="seal-ritual">
      {failure !== undefined && failure !== null && !isBusy && <Failure>{failure}</Failure>}
      <FoldedLetter letter={letter} onEdit={onEdit} />
      <div className="seal-foot">
        <Scene ref={scene} stage={stage} isWaiting={isBusy} letter={letter} pseudo={pseudo} />
        {isWarned && !isBusy && isPastMoment(letter.draft, letter.timeZone) ? (
          <>
            <ConfirmImmediate onSeal={seal} onEdit={() => onEdit('moment')} />
            {back}
          </>
        ) : instead === undefined ? (
          <div className="flex items-center justify-between gap-4 sm:justify-center sm:gap-8">
            <div className="min-w-0">
              <How id={`${id}-how`} {...{ phase, stage, blockedBy, wasReleased }} />
              {back}
            </div>
            <LongPressButton
              longPressMs={LONG_PRESS_MS}
              label="Sceller"
              describedBy={`${id}-how`}
              isBlocked={blockedBy !== null}
              isBusy={isBusy}
              onDone={seal}
              onRelease={() => setReleased(true)}
              onPressChange={setFingerDown}
              className="size-26 shrink-0"
            >
              <WaxSeal
                initial={initialOf(pseudo)}
                elapsed={0}
                className="relative size-full text-ink-soft"
              />
            </LongPressButton>
          </div>
        ) : (
          <div className="flex flex-col items-center gap-2">
            {instead}
            {back}
          </div>
        )}
      </div>
    </div>
  )
}

interface HowProps {
  id: string
  phase: SealPhase
  stage: Stage
  blockedBy: string | null
  wasReleased: boolean
}

/** What to do with the seal, or what becomes of it; always as tall. */
function How({ id, phase, stage, blockedBy, wasReleased }: HowProps) {
  const news = newsOf(phase, stage)
  return (
    <div className="min-h-13">
      <p role="status" className="font-semibold">
        {news ?? blockedBy ?? (wasReleased ? REOPENED : '')}
      </p>
      <p id={id} className={news || blockedBy || wasReleased ? 'sr-only' : undefined}>
        <span className="block font-semibold">Maintenez le sceau pour sceller</span>
        <span className="block text-ink-soft text-sm">
          Ou touchez-le une fois
          <span className="hidden pointer-fine:inline">, ou appuyez sur Entrée</span>.
        </span>
      </p>
    </div>
  )
}

const REOPENED = 'Le pli s’est rouvert. Maintenez un instant de plus.'

function newsOf(phase: SealPhase, stage: Stage): string | undefined {
  if (stage === 'pressing') return 'C’est scellé.'
  return phase === 'idle' ? undefined : 'Le sceau se pose'
}

/** Of a letter that opens at once nothing can be undone: it is confirmed once more, in words. */
function ConfirmImmediate({ onSeal, onEdit }: { onSeal: () => void; onEdit: () => void }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <div ref={notice} tabIndex={-1} className="w-full rounded-field">
      <Notice
        tone="warning"
        title="Elle s’ouvre tout de suite. Sceller quand même&#8239;?"
        action={
          <div className="flex flex-wrap gap-2">
            <Button onClick={onSeal}>Sceller quand même</Button>
            <Button variant="secondary" onClick={onEdit}>
              Choisir une autre date
            </Button>
          </div>
        }
      />
    </div>
  )
}

function Failure({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    element.current?.focus({ preventScroll: true })
    element.current?.scrollIntoView?.({ block: 'nearest' })
  }, [])
  return (
    <div ref={element} tabIndex={-1} className="mb-4 flex flex-col gap-3 rounded-field">
      {children}
    </div>
  )
}

/** What is drawn: the letter open, under a finger, folding, with its wax, and with the seal pressed into it. */
type Stage = 'open' | 'held' | 'folding' | 'waxing' | 'pressing'

/** Goes from one stage to the next as what was drawn comes to its end; back to the open letter once it is refused. */
function useStage(phase: SealPhase, onSettled: () => void) {
  const scene = useRef<HTMLDivElement>(null)
  const [stage, setStage] = useState<Stage>(phase === 'idle' ? 'open' : 'folding')
  const [drawn, setDrawn] = useState(phase)
  if (phase !== drawn) {
    setDrawn(phase)
    if (phase === 'idle') setStage('open')
    else if (drawn === 'idle') setStage('folding')
  }
  const goOn = useEffectEvent(() => {
    if (stage === 'folding') setStage('waxing')
    else if (stage === 'waxing' && phase === 'sealed') setStage('pressing')
    else if (stage === 'pressing') onSettled()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each is looked at again when the answer is there
  useEffect(() => {
    if (stage === 'open' || stage === 'held') return
    if (stage === 'folding') hasten(scene.current)
    let isLeft = false
    void motionEnds(scene.current).then(() => {
      if (!isLeft) goOn()
    })
    return () => {
      isLeft = true
    }
  }, [stage, phase])
  useEffect(() => {
    if (stage === 'pressing') navigator.vibrate?.(15)
  }, [stage])
  return {
    stage,
    scene,
    setFingerDown: (isDown: boolean) =>
      setStage((now) => (now === 'open' && isDown ? 'held' : now === 'held' ? 'open' : now)),
  }
}

/** How long one fold of a tap takes, in milliseconds; under a finger it takes longer (`seal-ritual.css`). */
const FOLD_MS = 150

/** A tap began as a press: what is left of those folds goes at twice the pace. A key's folds and a cross-fade keep theirs. */
function hasten(element: Element | null): void {
  for (const motion of element?.getAnimations?.({ subtree: true }) ?? []) {
    const isFold = motion instanceof CSSTransition && motion.transitionProperty === 'transform'
    const duration = Number(motion.effect?.getComputedTiming().duration)
    if (isFold && duration > FOLD_MS) motion.updatePlaybackRate(2)
  }
}

/** Once nothing moves any more in it; at once where nothing does. */
async function motionEnds(element: Element | null): Promise<void> {
  const moving = element?.getAnimations?.({ subtree: true }) ?? []
  await Promise.allSettled(
    moving
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
      .map(({ finished }) => finished),
  )
}

interface SceneProps {
  ref: Ref<HTMLDivElement>
  stage: Stage
  isWaiting: boolean
  letter: LetterToSeal
  pseudo: string
}

/** What is seen of it: a sheet of three parts that fold onto each other, the wax, the stamp. Words say the same. */
function Scene({ ref, stage, isWaiting, letter, pseudo }: SceneProps) {
  const { recipients, paper, ink } = letter.draft
  const names = writtenRecipients(recipients).map(({ name, email }) => name.trim() || email.trim())
  return (
    <div
      ref={ref}
      aria-hidden="true"
      data-stage={stage}
      className="seal-scene theme-paper"
      data-paper={paper}
      data-ink={ink}
    >
      <div className={isWaiting && stage === 'waxing' ? 'seal-sheet is-waiting' : 'seal-sheet'}>
        <div className="seal-part seal-part-middle" />
        <div className="seal-part seal-part-bottom">
          <span className="seal-face" />
          <span className="seal-back" />
        </div>
        <div className="seal-part seal-part-top">
          <span className="seal-face" />
          <span className="seal-back font-serif">Pour {peopleInWords(names)}</span>
        </div>
        <span className="seal-wax" />
        <WaxSeal initial={initialOf(pseudo)} className="seal-print" />
        <span className="seal-stamp" />
      </div>
    </div>
  )
}
