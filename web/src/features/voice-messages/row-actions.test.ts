import { expect, test } from 'vitest'
import { downloadFileName } from './row-actions.tsx'

test.each([
  ['Bonne nuit', 'enregistrement.WEBM', 'Bonne nuit.webm'],
  ['Qui vient : lui/elle ?', 'a.m4a', 'Qui vient lui elle.m4a'],
  ['1.5 km de silence', 'x.mp3', '1.5 km de silence.mp3'],
  ['..', 'x.mp3', 'message.mp3'],
  ['Sans nom de fichier', undefined, 'Sans nom de fichier'],
  ['Bizarre', 'archive.', 'Bizarre'],
])('« %s » sent as %s is saved as %s', (title, fileName, saved) => {
  expect(downloadFileName(title, fileName)).toBe(saved)
})
