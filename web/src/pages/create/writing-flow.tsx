import {
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useReducer,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { STEPS, type Step } from '#web/features/revelations/drafts/draft-schema.ts'
import { firstInvalidOf } from '#web/features/revelations/revelation-draft.ts'
import { suggestedTitle } from '#web/features/revelations/suggested-title.ts'
import { serverNow } from '#web/lib/clock.ts'
import { useOnline } from '#web/lib/online.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import type { LetterPart } from './folded-letter.tsx'
import { type CreatePlace, useGoBack, useShownStep } from './use-create-place.ts'
import { useSealHandlers, type Writing } from './use-writing.ts'
import { WhomStep } from './whom-step.tsx'
import { WritingFrame } from './writing-frame.tsx'
import { fieldsOf, reachableStep, reduceWriting, stateAt, stepOfFields } from './writing-steps.ts'

const loadLetter = () => import('./letter-step.tsx')
const loadWhen = () => import('./when-step.tsx')
const loadSeal = () => import('./seal-step.tsx')
const loadSealed = () => import('./sealed-step.tsx')
const loadAll = () => import('./all-at-once.tsx')
const loadSender = () => import('#web/features/uploads/send-file.ts')
const LetterStep = lazy(async () => ({ default: (await loadLetter()).LetterStep }))
const WhenStep = lazy(async () => ({ default: (await loadWhen()).WhenStep }))
const SealStep = lazy(async () => ({ default: (await loadSeal()).SealStep }))
const SealedStep = lazy(async () => ({ default: (await loadSealed()).SealedStep }))
const SendingLeaveGuard = lazy(async () => ({
  default: (await import('#web/features/media/leave-guard.tsx')).SendingLeaveGuard,
}))
const AllAtOnce = lazy(async () => ({ default: (await loadAll()).AllAtOnce }))

interface WritingFlowProps {
  writing: Writing
  place: CreatePlace
}

/** A letter step by step: for whom, its words, its day; or all of these on one page; then its seal. */
export function WritingFlow({ writing, place }: WritingFlowProps) {
  const flow = useFlow({ writing, place })
  const { state } = flow
  const { sealed } = writing
  useFollowingSteps(place)
  if (state.step === 'sealed' && sealed) {
    return (
      <Suspense>
        <SealedStep sealed={sealed} />
      </Suspense>
    )
  }
  const { step } = state
  if (step === 'sealed') return null
  if (place.isAll && step !== 'seal') {
    return (
      <Suspense fallback={<Skeleton className="mt-8 h-80 w-full" />}>
        <AllAtOnce writing={writing} place={place} onReview={flow.review} />
      </Suspense>
    )
  }
  return (
    <form
      ref={writing.state.element}
      noValidate
      data-autosaved=""
      onSubmit={(event) => {
        event.preventDefault()
        void flow.next()
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' || !event.ctrlKey || step === 'seal') return
        event.preventDefault()
        void flow.next()
      }}
    >
      <WritingFrame
        step={step}
        isFromRecap={state.isFromRecap}
        saveState={writing.autosave.saveState}
        files={writing.filesState}
        onBack={flow.back}
        isOnePage={place.isAll}
        onAll={
          // The answer belongs to this step.
          state.sealing === 'sealing' ? undefined : () => place.switchView(writing.id, step)
        }
      >
        {/* The files themselves ask where they are shown. */}
        {step !== 'letter' && writing.state.isOnItsWay && (
          <Suspense>
            <SendingLeaveGuard when />
          </Suspense>
        )}
        {step === 'whom' && (
          <WhomStep writing={writing} error={flow.kindError} onResume={place.resume} />
        )}
        <Suspense fallback={<Skeleton className="h-80 w-full" />}>
          {step === 'letter' && <LetterStep writing={writing} isTried={flow.isTried} />}
          {step === 'when' && <WhenStep writing={writing} isTried={flow.isTried} />}
          {step === 'seal' && (
            <SealStep
              writing={writing}
              state={state}
              wasToBeSealed={writing.isJustRestored && writing.opened.wantsSealing}
              onSeal={() => void flow.seal()}
              onWait={flow.wait}
              onStopWaiting={flow.stopWaiting}
              onEdit={flow.edit}
              onSettled={flow.settled}
            />
          )}
        </Suspense>
      </WritingFrame>
    </form>
  )
}

/** The steps that follow come once the first one is shown. */
function useFollowingSteps({ isAll }: Pick<CreatePlace, 'isAll'>): void {
  useEffect(() => {
    const forms = isAll ? [loadAll] : [loadLetter, loadWhen]
    const load = () => {
      for (const part of [...forms, loadSender, loadSeal, loadSealed]) part().catch(() => undefined)
    }
    const timer = setTimeout(load)
    return () => clearTimeout(timer)
  }, [isAll])
}

/** Where one is, what leads on, and what sealing makes of it. */
function useFlow({ writing, place }: WritingFlowProps) {
  const goBack = useGoBack()
  const { email } = useSignedInUser()
  const isOnline = useOnline()
  const { element } = writing.state
  // All on one page is the first step, and the seal the next.
  const shownFor = (step: Step): Step => (place.isAll && step !== 'seal' ? 'whom' : step)
  const reach = () =>
    shownFor(reachableStep(place.step, writing.form.getValues(), { mayLackKind: place.isAll }))
  const [state, dispatch] = useReducer(reduceWriting, undefined, () => stateAt(reach()))
  const [triedStep, setTriedStep] = useState<Step>()
  const [kindError, setKindError] = useState<string>()
  const isAnother = useRef(false)
  const wasPast = useRef(false)

  const { form, autosave } = writing
  useSealHandlers(writing, {
    onLost: () => dispatch({ type: 'lost' }),
    onMismatch: () => dispatch({ type: 'mismatch' }),
    onRefused: (error) => {
      writing.state.showRefusal(error, { shouldFocus: false })
      const fields = Object.keys(form.formState.errors)
      const ofFiles = fileFieldsOf(error)
      const refused = stepOfFields([...fields, ...ofFiles])
      flushSync(() => {
        dispatch({ type: 'refused', step: refused && shownFor(refused) })
        setTriedStep(stepOfFields(fields))
      })
      if (!place.isAll || !refused) return
      const { fileSection, voiceSection } = writing.state
      const section = ofFiles.includes('seal_voice_words') ? voiceSection : fileSection
      const invalid = firstInvalidOf(element.current) ?? section.current
      invalid?.focus()
    },
  })
  useShownStep(state.step, place, writing)
  // « Back » and « forward » of the browser.
  const follow = useEffectEvent(() => {
    // Another letter is being opened; this one stays at its step.
    if (place.draftId !== writing.id) return
    const step = reach()
    if (step !== place.step) place.goTo(writing.id, step, { replace: true })
    dispatch({ type: 'shown', step })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the address says
  useEffect(() => follow(), [place.step])

  // Whoever leaves the seal, by whichever way, has it wait for nothing; what was said there is over.
  const leaveSeal = useEffectEvent(() => {
    autosave.update({ wantsSealing: false })
    writing.sealing.clearFailure()
  })
  const wasAtSeal = useRef(false)
  const isAtSeal = state.step === 'seal'
  useEffect(() => {
    if (wasAtSeal.current && !isAtSeal && !writing.sealed) leaveSeal()
    wasAtSeal.current = isAtSeal
  }, [isAtSeal, writing.sealed])

  const begin = useEffectEvent(() => {
    if (isAnother.current) writing.sealAnother()
    else writing.sealNow()
  })
  useEffect(() => {
    if (state.sealing === 'sealing') begin()
  }, [state.sealing])

  const resume = useEffectEvent(async () => {
    if (!(await form.trigger())) return showInvalid()
    dispatch({ type: 'ready', hasPassed: !wasPast.current && writing.isPast() })
  })
  useEffect(() => {
    if (state.sealing === 'waiting' && isOnline && writing.isReady) void resume()
  }, [state.sealing, isOnline, writing.isReady])

  /** Shows what is missing where it is, once it is drawn. */
  const showInvalid = () => {
    const invalid = stepOfFields(Object.keys(form.formState.errors))
    touchInvalid(form)
    flushSync(() => {
      setTriedStep(invalid)
      if (invalid && shownFor(invalid) !== state.step)
        dispatch({ type: 'edit', step: shownFor(invalid) })
    })
    firstInvalidOf(element.current)?.focus()
  }

  const next = async () => {
    const { step } = state
    if (step === 'sealed' || step === 'seal') return
    if (step === 'whom' && form.getValues('kind') === null) {
      flushSync(() => setKindError('Choisissez d’abord ce que vous écrivez'))
      element.current?.querySelector<HTMLElement>('[name="kind"]')?.focus()
      return
    }
    setKindError(undefined)
    if (!(await form.trigger([...fieldsOf(step)]))) return showInvalid()
    const problem = step === 'letter' ? fileProblem(writing) : undefined
    if (problem) {
      setTriedStep(step)
      return writing.state.fileSection.current?.focus()
    }
    if (step === 'whom') suggestTitle(writing, email)
    dispatch({ type: 'next', isValid: true })
  }

  const stepBefore = (step: Step) => shownFor(STEPS[STEPS.indexOf(step) - 1] ?? 'whom')

  const wait = () => {
    wasPast.current = writing.isPast()
    autosave.update({ wantsSealing: true })
    writing.setJustRestored(false)
    dispatch({ type: 'seal', mayNow: false })
  }

  return {
    state,
    kindError: form.getValues('kind') === null ? kindError : undefined,
    isTried: triedStep === state.step,
    next,
    /** From all on one page, where everything was looked at. */
    review: () => {
      writing.setJustRestored(false)
      dispatch({ type: 'review' })
    },
    back: () => {
      const { step } = state
      // Where one came from is the entry before: another one would be gone through again.
      if (step === 'whom' || step === 'sealed' || place.from === stepBefore(step)) return goBack()
      dispatch(place.isAll ? { type: 'edit', step: 'whom' } : { type: 'back' })
    },
    edit: (part: LetterPart) => {
      flushSync(() => dispatch({ type: 'edit', step: shownFor(STEP_OF_PART[part]) }))
      if (!place.isAll) return
      const find = (selector: string) => element.current?.querySelector<HTMLElement>(selector)
      // To oneself alone there is nothing to choose of what is told.
      const field = find(PART_SELECTORS[part]) ?? find(PART_SELECTORS.people)
      field?.focus()
    },
    seal: async () => {
      isAnother.current = state.sealing === 'already'
      if (!(await form.trigger())) return showInvalid()
      if (!isOnline || !writing.isReady) return wait()
      writing.setJustRestored(false)
      dispatch({ type: 'seal', mayNow: true })
    },
    wait: () => {
      isAnother.current = false
      wait()
    },
    stopWaiting: () => {
      autosave.update({ wantsSealing: false })
      dispatch({ type: 'stopWaiting' })
    },
    settled: () => dispatch({ type: 'done' }),
  }
}

const STEP_OF_PART: Record<LetterPart, Step> = {
  title: 'letter',
  inside: 'letter',
  people: 'whom',
  moment: 'when',
  audience: 'when',
  notice: 'when',
}

/** Where a part of the letter is written when all is on one page. */
const PART_SELECTORS: Record<LetterPart, string> = {
  title: '[name="title"]',
  people: '[data-part="people"]',
  moment: '[data-part="moment"] input',
  audience: '[name="visibility"]:checked',
  notice: '[data-part="notice"] input',
  inside: '[data-part="inside"]',
}

/** A title for whoever has none of their own; one that was only suggested follows whom it is for. */
function suggestTitle({ form, autosave, timeZone }: Writing, ownAddress: string): void {
  const { suggestedTitle: former } = autosave.now()
  const { title, ...draft } = form.getValues()
  if (title.trim() !== '' && title !== former) return
  const next = suggestedTitle(draft, { ownAddress, now: new Date(serverNow()), timeZone })
  autosave.update({ suggestedTitle: next })
  form.setValue('title', next, { shouldDirty: true })
}

/** What was refused is looked at again as it is typed. */
function touchInvalid(form: Writing['form']): void {
  const { recipients, ...errors } = form.formState.errors
  const { recipients: people, ...values } = form.getValues()
  const rows = people.flatMap((_, row) =>
    recipients?.[row] ? [`recipients.${row}.email` as const] : [],
  )
  const names = Object.keys(values) as (keyof typeof values)[]
  for (const name of [...names.filter((field) => errors[field]), ...rows]) {
    form.setValue(name, form.getValues(name), { shouldTouch: true })
  }
}

function fileProblem({ state: { album } }: Writing): string | undefined {
  // What is on its way may arrive while one goes on.
  return album.problem
}

/** Names of the wire that no field of the form has: the file’s and the voice’s. */
function fileFieldsOf(error: unknown): string[] {
  const { fields = {} } = error as { fields?: Record<string, string> }
  return Object.keys(fields).flatMap((name) => {
    if (/^(?:file|teaser|captions)/.test(name)) return ['file_words']
    return name === 'seal_voice' ? ['seal_voice_words'] : []
  })
}
