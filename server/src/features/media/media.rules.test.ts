import { expect, it } from 'vitest'
import {
  clampTeaser,
  estimateVariantBytes,
  isClaimable,
  type MediaVariant,
  parseTeaser,
  partOf,
  planSteps,
  summarize,
  validateTeaser,
} from './media.rules.ts'

it('shows only the teaser and its picture with the envelope', () => {
  const variants: MediaVariant[] = [
    'original',
    'mobile',
    'teaser',
    'thumbnail_teaser',
    'thumbnail_complete',
    'image',
    'copy',
    'audio',
    'waveform',
    'seekable',
  ]
  expect(variants.filter((variant) => partOf(variant) === 'envelope')).toEqual([
    'teaser',
    'thumbnail_teaser',
  ])
})

it.each([
  ['video', true, ['teaser', 'thumbnails', 'mobile']],
  ['video', false, ['thumbnails', 'mobile']],
  ['image', false, ['image', 'copy']],
  ['audio', false, ['audio']],
  ['document', false, ['document']],
] as const)('plans the steps of a %s (teaser: %s) as %j', (kind, hasTeaser, steps) => {
  expect(planSteps(kind, hasTeaser)).toEqual(steps)
})

const VALID = 'L’extrait n’est pas valide'
const SHORT = 'La fin de l’extrait doit être au moins 1\u00A0s après son début'
const LONG = 'Le teaser dépasse la durée maximale autorisée'
const BEYOND = 'L’extrait dépasse la fin de la vidéo'

it.each([
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
])('validates a teaser from %d to %d s of %d: %s', (startSeconds, endSeconds, length, refusal) => {
  expect(validateTeaser({ startSeconds, endSeconds }, length)).toBe(refusal)
})

it('clamps an end a little beyond the video to its end', () => {
  expect(clampTeaser({ startSeconds: 2, endSeconds: 4.04 }, 4)).toEqual({
    startSeconds: 2,
    endSeconds: 4,
  })
})

it.each([
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
])('parses the fields %j as %j', (fields, window) => {
  expect(parseTeaser(fields)).toEqual(window)
})

it.each([
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
] as const)('summarizes the steps %j as %j', (steps, summary) => {
  expect(summarize(steps.map(([state, progress]) => ({ state, progress })))).toEqual(summary)
})

it('lets nobody claim a file that is still arriving or unreadable', () => {
  const states = ['receiving', 'received', 'processing', 'ready', 'failed'] as const
  expect(states.filter((state) => isClaimable({ state }))).toEqual([
    'received',
    'processing',
    'ready',
  ])
})

it('estimates more memory for a longer variant', () => {
  expect(estimateVariantBytes('teaser', 30)).toBeGreaterThan(12_000_000)
  expect(estimateVariantBytes('thumbnails', 3_600)).toBeLessThan(5_000_000)
})
