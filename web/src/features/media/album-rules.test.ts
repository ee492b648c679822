import { expect, test } from 'vitest'
import { chosenOf, moveEntry, setCaptionOf, withNew } from './album-rules.ts'

const entries = ['a', 'b', 'c', 'd'].map((id) => ({ id, caption: '' }))
const order = (all: readonly { id: string }[]) => all.map(({ id }) => id).join('')
const everywhere = () => true

test.each([
  ['a', 1, 'bacd'],
  ['a', 3, 'bcda'],
  ['d', 0, 'dabc'],
  ['c', 1, 'acbd'],
  ['b', 9, 'acdb'],
  ['b', -1, 'bacd'],
  ['x', 0, 'abcd'],
])('%s moves to %i', (id, to, expected) => {
  expect(order(moveEntry(entries, everywhere, { id, to }))).toBe(expected)
})

test('what has to be chosen again stays in its place, and others move around it', () => {
  const isHere = (id: string) => id !== 'b'
  expect(order(moveEntry(entries, isHere, { id: 'd', to: 0 }))).toBe('dbac')
  expect(order(moveEntry(entries, isHere, { id: 'a', to: 1 }))).toBe('cbad')
})

test('what comes stands at the end, and what is known keeps place and caption', () => {
  const known = setCaptionOf(entries, 'b', 'La mer')
  expect(withNew(known, ['d', 'b'])).toBe(known)
  expect(order(withNew(known, ['e', 'a', 'f']))).toBe('abcdef')
  expect(withNew(known, ['e'])[1]).toEqual({ id: 'b', caption: 'La mer' })
})

test('a letter takes as many as it has room for, and names what cannot be sent', () => {
  const photos = Array.from({ length: 5 }, (_, at) => new File(['x'], `${at}.jpg`))
  const notes = new File(['x'], 'notes.txt', { type: 'text/plain' })
  const refused = 'Type de fichier non autorisé: text/plain'
  expect(chosenOf(photos, 5)).toEqual({ accepted: photos, sentence: undefined })
  expect(chosenOf([notes], 5)).toEqual({ accepted: [], sentence: refused })
  expect(chosenOf(photos, 4).sentence).toBe(
    'Une lettre porte 30 fichiers au plus\u202F: le dernier n’est pas joint.',
  )
  const { accepted, sentence } = chosenOf([notes, ...photos], 3)
  expect(accepted).toEqual(photos.slice(0, 3))
  expect(sentence).toBe(
    `«\u202Fnotes.txt\u202F»\u202F: ${refused}. Une lettre porte 30 fichiers au plus\u202F: les 2 derniers ne sont pas joints.`,
  )
})
