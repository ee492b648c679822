import { expect, test } from 'vitest'
import { SOUND_MAX_BYTES } from '#contract/sounds.ts'
import { titleOfFile, validateAudioFile } from './import-dialog.tsx'

test.each([
  ['a song', 'chanson.mp3', 'audio/mpeg', 10, undefined],
  ['a file whose type the system does not know', 'Mémo.M4A', '', 10, undefined],
  ['a text', 'lettre.txt', 'text/plain', 10, 'Seuls les fichiers audio sont autorisés'],
  ['a film', 'film.mp4', 'video/mp4', 10, 'Seuls les fichiers audio sont autorisés'],
  ['something unknown', 'chose', '', 10, 'Seuls les fichiers audio sont autorisés'],
  ['the heaviest one', 'a.wav', 'audio/wav', SOUND_MAX_BYTES, undefined],
  [
    'one byte more',
    'a.wav',
    'audio/wav',
    SOUND_MAX_BYTES + 1,
    'Fichier trop volumineux (max 50MB)',
  ],
  ['nothing at all', 'a.wav', 'audio/wav', 0, 'Fichier invalide'],
])('%s', (_what, name, type, size, sentence) => {
  expect(validateAudioFile({ name, type, size })).toBe(sentence)
})

test.each([
  ['Berceuse de mamie.mp3', 'Berceuse de mamie'],
  ['a.b.ogg', 'a.b'],
  ['sans extension', 'sans extension'],
  ['.mp3', '.mp3'],
])('the title of « %s » is « %s »', (name, title) => {
  expect(titleOfFile(name)).toBe(title)
})
