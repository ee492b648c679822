import { expect, test } from 'vitest'
import { isLastTry } from '#server/features/mails/mails.rules.ts'
import { formatFailure, shouldNotify } from './deliveries.rules.ts'

const now = new Date('2026-11-20T12:00:00Z')
const later = new Date('2026-11-20T12:00:01Z')

const sealed = {
  revealAt: later,
  notifiedAt: null,
  hiddenAt: null,
  addressKey: 'dest@exemple.fr',
  authorEmailKey: 'auteur@exemple.fr',
}

test.each([
  ['a sealed one is announced', {}, true],
  ['one already announced is not', { notifiedAt: now }, false],
  ['one that opens at this instant is not', { revealAt: now }, false],
  ['one that is hidden is not', { hiddenAt: now }, false],
  ['one to oneself is not', { authorEmailKey: 'dest@exemple.fr' }, false],
])('%s', (_name, changes, expected) => {
  expect(shouldNotify({ ...sealed, ...changes }, now)).toBe(expected)
})

test.each([
  ['unreachable', 0, false],
  ['refused', 71.9, false],
  ['unexpected', 71.9, false],
  ['unreachable', 72, true],
  ['refused', 72, true],
  ['bad_address', 0, true],
] as const)('%s after %d hours of trying: is it over? %s', (failure, hours, expected) => {
  const firstTriedAt = new Date(now.getTime() - hours * 3_600_000)
  expect(isLastTry(failure, firstTriedAt, now)).toBe(expected)
})

test('the author reads why, and whether it goes on', () => {
  expect(formatFailure('unreachable', false)).toBe(
    'La messagerie n’a pas répondu. Un nouvel essai suivra.',
  )
  expect(formatFailure('refused', true)).toBe(
    'La messagerie a refusé le mail. Trois jours d’essais n’y ont rien changé.',
  )
  expect(formatFailure('bad_address', true)).toBe(
    'L’adresse du destinataire n’existe pas ou n’existe plus.',
  )
})
