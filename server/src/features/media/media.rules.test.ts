import { expect, test } from 'vitest'
import {
  clampWindow,
  estimateVariantBytes,
  isClaimable,
  type MediaVariant,
  partOf,
  planSteps,
  readWindow,
  refuseWindow,
  summarize,
} from './media.rules.ts'

test('only the teaser and its picture go with the envelope', () => {
  const variants: MediaVariant[] = [
    'original',
    'mobile',
    'teaser',
    'thumbnail_teaser',
    'thumbnail_complete',
    'image',
    'audio',
    'waveform',
    'seekable',
  ]
  expect(variants.filter((variant) => partOf(variant) === 'envelope')).toEqual([
    'teaser',
    'thumbnail_teaser',
  ])
})

test.each([
  ['video', true, ['teaser', 'thumbnails', 'mobile']],
  ['video', false, ['thumbnails', 'mobile']],
  ['image', false, ['image']],
  ['audio', false, ['audio']],
  ['document', false, []],
] as const)('what is made from a %s (teaser: %s) is %j', (kind, hasTeaser, steps) => {
  expect(planSteps(kind, hasTeaser)).toEqual(steps)
})

const VALID = 'L’extrait n’est pas valide'
const SHORT = 'La fin de l’extrait doit être au moins 1\u00A0s après son début'
const LONG = 'Le teaser dépasse la durée maximale autorisée'
const BEYOND = 'L’extrait dépasse la fin de la vidéo'

test.each([
  [0, 1, 10, undefined],
  [9.3, 10.3, 60, undefined],
  [0, 30, 60, undefined],
  [0, 10.2, 10, undefined],
  [0, 10.3, 10, BEYOND],
  [50, 55, 10, BEYOND],
  [0, 0.9, 10, SHORT],
  [5, 4, 10, SHORT],
  [0, 30.1, 60, LONG],
  [-1, 5, 10, VALID],
  [Number.NaN, 5, 10, VALID],
  [0, Number.POSITIVE_INFINITY, 10, VALID],
])('a teaser from %d to %d s of %d: %s', (startSeconds, endSeconds, length, refusal) => {
  expect(refuseWindow({ startSeconds, endSeconds }, length)).toBe(refusal)
})

test('an end a little beyond the video is its end', () => {
  expect(clampWindow({ startSeconds: 2, endSeconds: 4.04 }, 4)).toEqual({
    startSeconds: 2,
    endSeconds: 4,
  })
})

test.each([
  [{}, undefined],
  [{ teaserStart: '', teaserEnd: '' }, undefined],
  [
    { teaserStart: '0', teaserEnd: '5.5' },
    { startSeconds: 0, endSeconds: 5.5 },
  ],
  [{ teaserData: '2|7' }, { startSeconds: 2, endSeconds: 7 }],
  [
    { teaserStart: '1', teaserEnd: '3', teaserData: '2|7' },
    { startSeconds: 1, endSeconds: 3 },
  ],
  [
    { teaserStart: '1e3', teaserEnd: '0x10' },
    { startSeconds: Number.NaN, endSeconds: Number.NaN },
  ],
  [{ teaserStart: '4' }, { startSeconds: 4, endSeconds: Number.NaN }],
])('the fields %j ask for %j', (fields, window) => {
  expect(readWindow(fields)).toEqual(window)
})

test.each([
  [[], { status: 'none', progress: 100, error: null }],
  [
    [
      ['processing', 50],
      ['completed', 100],
    ],
    { status: 'processing', progress: 75, error: null },
  ],
  [
    [
      ['processing', 0],
      ['failed', 10],
    ],
    { status: 'processing', progress: 50, error: null },
  ],
  [[['completed', 100]], { status: 'completed', progress: 100, error: null }],
  [
    [
      ['failed', 10],
      ['failed', 0],
      ['completed', 100],
    ],
    {
      status: 'failed',
      progress: 100,
      error: '2 tâche(s) ont échoué. Les fonctionnalités peuvent être limitées.',
    },
  ],
] as const)('steps %j are told as %j', (steps, told) => {
  expect(summarize(steps.map(([state, progress]) => ({ state, progress })))).toEqual(told)
})

test('a file that is still arriving, or cannot be read, is nobody’s to take', () => {
  const states = ['receiving', 'received', 'processing', 'ready', 'failed'] as const
  expect(states.filter((state) => isClaimable({ state }))).toEqual([
    'received',
    'processing',
    'ready',
  ])
})

test('the room a variant asks for grows with its length', () => {
  expect(estimateVariantBytes('teaser', 30)).toBeGreaterThan(12_000_000)
  expect(estimateVariantBytes('thumbnails', 3_600)).toBeLessThan(5_000_000)
})
