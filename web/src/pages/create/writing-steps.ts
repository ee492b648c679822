import { STEPS, type Step } from '#web/features/revelations/drafts/draft-schema.ts'
import { writtenRows } from '#web/features/revelations/recipients.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'

/** Where one is in writing a letter. */
export interface WritingState {
  step: Step | 'sealed'
  /** A part is changed from the recap: going on leads back there. */
  isFromRecap: boolean
  /** `waiting`: as soon as the network and the files are there. `already`: other words are sealed. */
  sealing: 'idle' | 'sealing' | 'waiting' | 'already'
  /** The instant passed while something was waited for. */
  hasPassed: boolean
}

export type WritingEvent =
  | { type: 'next'; isValid: boolean }
  | { type: 'back' }
  /** Straight to the recap: the other steps were seen all at once. */
  | { type: 'review' }
  /** A step from the recap, or one that the server refuses something of. */
  | { type: 'edit'; step: Step }
  /** By the address: « back » and « forward » of the browser. */
  | { type: 'shown'; step: Step }
  | { type: 'seal'; mayNow: boolean }
  /** What was waited for is there. */
  | { type: 'ready'; hasPassed: boolean }
  | { type: 'stopWaiting' }
  | { type: 'done' }
  /** No answer came. */
  | { type: 'lost' }
  /** `step` has the field that is refused, where there is one. */
  | { type: 'refused'; step: Step | undefined }
  | { type: 'mismatch' }

export function stateAt(step: Step): WritingState {
  return { step, isFromRecap: false, sealing: 'idle', hasPassed: false }
}

/** What comes next; the same state where the event means nothing there. */
export function reduceWriting(state: WritingState, event: WritingEvent): WritingState {
  const { step, sealing } = state
  if (step === 'sealed') return state
  // One call at a time, and only its answer ends it.
  if (sealing === 'sealing') return answered(state, event)
  switch (event.type) {
    case 'next': {
      const following = state.isFromRecap ? 'seal' : STEPS[STEPS.indexOf(step) + 1]
      return event.isValid && following ? stateAt(following) : state
    }
    case 'back':
      return stateAt(STEPS[STEPS.indexOf(step) - 1] ?? 'whom')
    case 'review':
      return stateAt('seal')
    case 'edit':
      return event.step === 'seal'
        ? state
        : { ...stateAt(event.step), isFromRecap: step === 'seal' }
    case 'shown':
      return event.step === step ? state : stateAt(event.step)
    case 'seal': {
      if (step !== 'seal' || sealing === 'waiting') return state
      return { ...stateAt('seal'), sealing: event.mayNow ? 'sealing' : 'waiting' }
    }
    case 'ready':
      if (sealing !== 'waiting') return state
      return event.hasPassed
        ? { ...stateAt('seal'), hasPassed: true }
        : { ...state, sealing: 'sealing' }
    case 'stopWaiting':
      return sealing === 'waiting' ? { ...state, sealing: 'idle' } : state
    default:
      return state
  }
}

function answered(state: WritingState, event: WritingEvent): WritingState {
  switch (event.type) {
    case 'done':
      return { ...stateAt('seal'), step: 'sealed' }
    case 'lost':
      return stateAt('seal')
    case 'refused':
      return event.step ? { ...stateAt(event.step), isFromRecap: true } : stateAt('seal')
    case 'mismatch':
      return { ...stateAt('seal'), sealing: 'already' }
    default:
      return state
  }
}

const FIELDS = {
  whom: ['kind', 'recipients'],
  letter: ['title', 'content', 'file_words', 'paper', 'ink'],
  when: [
    'day',
    'time',
    'visibility',
    'category',
    'announcement_note',
    'opening_note',
    'seal_voice_words',
  ],
  seal: [],
} as const satisfies Record<Step, readonly (keyof RevelationDraft)[]>

export function fieldsOf(step: Step): readonly (keyof RevelationDraft)[] {
  return FIELDS[step]
}

/** The first step with one of these fields. */
export function stepOfFields(names: readonly string[]): Step | undefined {
  return STEPS.find((step) => names.some((name) => fieldsOf(step).some((field) => field === name)))
}

/**
 * The step that the address asks for, or the first before it of which something is missing. All on one page a letter may be of
 * no kind: the server has one for it.
 */
export function reachableStep(
  wanted: Step,
  draft: RevelationDraft,
  { mayLackKind = false } = {},
): Step {
  const isDone = {
    whom: (mayLackKind || draft.kind !== null) && writtenRows(draft.recipients).length > 0,
    letter: draft.title.trim() !== '' && draft.content.trim() !== '',
    when: draft.day !== '',
    seal: true,
  } as const satisfies Record<Step, boolean>
  return STEPS.slice(0, STEPS.indexOf(wanted)).find((step) => !isDone[step]) ?? wanted
}
