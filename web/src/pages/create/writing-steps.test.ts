import { describe, expect, test } from 'vitest'
import { draftFor } from '#web/features/revelations/revelation-draft.ts'
import {
  reachableStep,
  reduceWriting,
  stateAt,
  stepOfFields,
  type WritingEvent,
  type WritingState,
} from './writing-steps.ts'

const at = stateAt
const from = (state: WritingState) => ({ ...state, isFromRecap: true })
const when = (sealing: WritingState['sealing']): WritingState => ({ ...at('seal'), sealing })
const VALID = { type: 'next', isValid: true } as const

describe('writing', () => {
  test.each<[string, WritingState, WritingEvent, WritingState]>([
    ['goes on to the letter', at('whom'), VALID, at('letter')],
    ['goes on to the date', at('letter'), VALID, at('when')],
    ['goes on to the recap', at('when'), VALID, at('seal')],
    ['stays while something is missing', at('letter'), { ...VALID, isValid: false }, at('letter')],
    ['has nothing after the recap but the seal', at('seal'), VALID, at('seal')],
    ['goes back a step', at('seal'), { type: 'back' }, at('when')],
    ['goes to the recap from all on one page', at('whom'), { type: 'review' }, at('seal')],
    ['begins at its first step', at('whom'), { type: 'back' }, at('whom')],
    ['changes a part from the recap', at('seal'), { type: 'edit', step: 'whom' }, from(at('whom'))],
    ['comes back to the recap from there', from(at('whom')), VALID, at('seal')],
    ['follows the address', at('seal'), { type: 'shown', step: 'letter' }, at('letter')],
    [
      'keeps the way back to the recap',
      from(at('when')),
      { type: 'shown', step: 'when' },
      from(at('when')),
    ],
    ['seals', at('seal'), { type: 'seal', mayNow: true }, when('sealing')],
    ['seals from the recap alone', at('when'), { type: 'seal', mayNow: true }, at('when')],
    ['waits for what is missing', at('seal'), { type: 'seal', mayNow: false }, when('waiting')],
    [
      'seals once it is there',
      when('waiting'),
      { type: 'ready', hasPassed: false },
      when('sealing'),
    ],
    [
      'says that its instant passed',
      when('waiting'),
      { type: 'ready', hasPassed: true },
      { ...at('seal'), hasPassed: true },
    ],
    ['waits no more', when('waiting'), { type: 'stopWaiting' }, at('seal')],
    ['waits for nothing unasked', at('seal'), { type: 'ready', hasPassed: false }, at('seal')],
    ['seals once for two taps', when('sealing'), { type: 'seal', mayNow: true }, when('sealing')],
    ['stays until the answer is there', when('sealing'), { type: 'back' }, when('sealing')],
    ['is sealed', when('sealing'), { type: 'done' }, { ...at('seal'), step: 'sealed' }],
    ['asks again after a lost answer', when('sealing'), { type: 'lost' }, at('seal')],
    [
      'shows what the server refuses',
      when('sealing'),
      { type: 'refused', step: 'letter' },
      from(at('letter')),
    ],
    [
      'keeps a refusal of the whole in the recap',
      when('sealing'),
      { type: 'refused', step: undefined },
      at('seal'),
    ],
    ['says that other words are sealed', when('sealing'), { type: 'mismatch' }, when('already')],
    [
      'seals the others beside, if wanted',
      when('already'),
      { type: 'seal', mayNow: true },
      when('sealing'),
    ],
    [
      'goes nowhere once sealed',
      { ...at('seal'), step: 'sealed' },
      { type: 'back' },
      { ...at('seal'), step: 'sealed' },
    ],
  ])('%s', (_, state, event, next) => expect(reduceWriting(state, event)).toEqual(next))
})

test('a refused field is shown where it is written', () => {
  expect(stepOfFields(['visibility', 'title'])).toBe('letter')
  expect(stepOfFields(['recipients'])).toBe('whom')
  expect(stepOfFields(['something_new'])).toBeUndefined()
})

test('an address leads no further than what is written', () => {
  const wish = { kind: undefined, visibility: undefined, addressee: undefined }
  const empty = draftFor('Europe/Brussels', wish, 'camille@exemple.be')
  const addressed = draftFor('Europe/Brussels', { ...wish, addressee: 'lea@exemple.be' }, '')
  const written = { ...addressed, title: 'Pour toi', content: 'Quelques mots.' }
  expect([empty, addressed, written].map((draft) => reachableStep('seal', draft))).toEqual([
    'whom',
    'letter',
    'seal',
  ])
  const withoutKind = { ...written, kind: null }
  expect(reachableStep('seal', withoutKind)).toBe('whom')
  expect(reachableStep('seal', withoutKind, { mayLackKind: true })).toBe('seal')
})
