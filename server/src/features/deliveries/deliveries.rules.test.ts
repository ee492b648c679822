import { expect, it } from 'vitest'
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

it.each([
  ['notifies of a sealed one', {}, true],
  ['not of one already notified of', { notifiedAt: now }, false],
  ['not of one revealed at this instant', { revealAt: now }, false],
  ['not of a hidden one', { hiddenAt: now }, false],
  ['not the author', { authorEmailKey: 'dest@exemple.fr' }, false],
])('%s', (_name, changes, expected) => {
  expect(shouldNotify({ ...sealed, ...changes }, now)).toBe(expected)
})

it.each([
  ['unreachable', 0, false],
  ['refused', 71.9, false],
  ['unexpected', 71.9, false],
  ['unreachable', 72, true],
  ['refused', 72, true],
  ['bad_address', 0, true],
] as const)('%s after %d hours of tries: is it the last? %s', (failure, hours, expected) => {
  const firstTriedAt = new Date(now.getTime() - hours * 3_600_000)
  expect(isLastTry(failure, firstTriedAt, now)).toBe(expected)
})

it('formats why a try failed, and whether another follows', () => {
  expect(formatFailure('unreachable', false)).toBe(
    'La messagerie n’a pas répondu. Un nouvel essai suivra.',
  )
  expect(formatFailure('refused', true)).toBe(
    'La messagerie a refusé l’e-mail. Trois jours d’essais n’y ont rien changé.',
  )
  expect(formatFailure('bad_address', true)).toBe(
    'L’adresse du destinataire n’existe pas ou n’existe plus.',
  )
})
