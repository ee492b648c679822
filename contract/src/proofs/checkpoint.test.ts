import { expect, test } from 'vitest'
import { logOfItems } from '../../test/log.ts'
import { findCheckpoint } from './checkpoint.ts'

const note = logOfItems(3).checkpoint()

test.each([
  ['as it is', note],
  ['among other words', `Bonjour,\n\nVoici :\n${note}\nCamille`],
  ['quoted in an answer', note.replaceAll(/^/gm, '> ')],
  ['without its empty line', note.replace('\n\n', '\n')],
  ['with its signature broken by the mail program', note.replace(/(.{70})(?=[^\n]*\n$)/, '$1\n')],
  ['with the line ends of Windows', note.replaceAll('\n', '\r\n')],
])('a checkpoint is found %s', (_name, text) => {
  expect(findCheckpoint(text)).toBe(note)
})

test('nothing is found where there is none', () => {
  expect(findCheckpoint('Bonjour, 12 personnes vous attendent.')).toBeUndefined()
  expect(findCheckpoint(note.slice(0, 60))).toBeUndefined()
})
