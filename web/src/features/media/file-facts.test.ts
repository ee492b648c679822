import { describe, expect, test } from 'vitest'
import { UPLOAD_MAX_BYTES } from '#contract/media.ts'
import { kindOf, validateFile } from './file-facts.ts'

function aFile(name: string, type: string, size = 1000) {
  return { name, type, size }
}

describe('the kind of a file', () => {
  test.each([
    ['film.mp4', 'video/mp4', 'video'],
    ['film.mov', '', 'video'],
    ['photo.JPG', '', 'image'],
    ['voix.webm', 'audio/webm;codecs=opus', 'audio'],
    ['lettre.pdf', 'application/pdf', 'document'],
  ])('%s (%s) is a %s', (name, type, kind) => {
    expect(kindOf(aFile(name, type))).toBe(kind)
  })
})

describe('before a byte leaves', () => {
  test.each([
    ['video/mp4'],
    ['video/webm'],
    ['video/ogg'],
    ['video/x-msvideo'],
    ['video/quicktime'],
    ['image/jpeg'],
    ['image/png'],
    ['image/gif'],
    ['image/webp'],
    ['audio/mpeg'],
    ['audio/wav'],
    ['audio/ogg'],
    ['application/pdf'],
  ])('%s may be sent', (type) => {
    expect(validateFile(aFile('fichier', type))).toBeUndefined()
  })

  test.each([
    ['dessin.svg', 'image/svg+xml', 'Type de fichier non autorisé: image/svg+xml'],
    ['notes.xyz', '', 'Type de fichier non autorisé: .xyz'],
    ['sans', '', 'Type de fichier non autorisé: inconnu'],
  ])('%s is refused by its type', (name, type, sentence) => {
    expect(validateFile(aFile(name, type))).toBe(sentence)
  })

  test('600 MB may be sent, a byte more may not', () => {
    expect(validateFile(aFile('film.mp4', 'video/mp4', UPLOAD_MAX_BYTES))).toBeUndefined()
    expect(validateFile(aFile('film.mp4', 'video/mp4', UPLOAD_MAX_BYTES + 1))).toBe(
      'Fichier trop volumineux (601 MB). Maximum autorisé: 600MB',
    )
  })

  test('an empty file is refused', () => {
    expect(validateFile(aFile('film.mp4', 'video/mp4', 0))).toBe('Fichier invalide')
  })
})
