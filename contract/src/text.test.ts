import { describe, expect, it } from 'vitest'
import { typedText } from './text.ts'

const title = typedText({
  line: true,
  required: 'Le titre est requis',
  min: { length: 3, message: 'Trop court' },
  max: { length: 120, message: 'Trop long' },
})

function read(text: string) {
  const { data, error } = title.safeParse(text)
  return error ? error.issues[0]?.message : data
}

describe('a line that others read', () => {
  it.each([
    ['zero-width spaces', '\u200B\u200B\u200B\u200B'],
    ['a joiner', '\u200D'],
    ['fillers of Hangul', '\u3164\u3164\u3164\u3164'],
    ['empty Braille cells', '\u2800\u2800\u2800\u2800'],
    ['spaces of all kinds', '\u2003\u00A0\u3000\u2028'],
    ['tags', '\u{E0041}\u{E0042}\u{E0043}'],
  ])('is not made of %s', (_, text) => {
    expect(read(text)).toBe('Le titre est requis')
  })

  it.each([
    ['an override', 'Lettre \u202Egpj.exe'],
    ['an embedding', '\u202Bune lettre\u202C'],
    ['an isolate', 'Une \u2067lettre\u2069'],
    ['a joiner that joins nothing', 'Une\u200Dlettre'],
    ['a filler', 'Une\u3164lettre'],
    ['a tag', 'Une lettre\u{E0041}'],
    ['an invisible sign of mathematics', 'Une\u2063lettre'],
  ])('hides nothing: %s', (_, text) => {
    expect(read(text)).toMatch(/caractères invisibles/)
  })

  it.each(['ab', 'a\u0301b', 'a\u200B\u200Bb', '👩‍👩‍👧👨‍👩‍👦', 'ab\uFE0F\uFE0F'])(
    'is as long as the eye counts: %s',
    (text) => {
      expect(read(text)).toBe('Trop court')
    },
  )

  it.each([
    'À mes 40 ans',
    'Œuvre n°\u00A01\u202F!',
    'Pour ma grand-mère ❤️',
    '👩‍👩‍👧‍👦 en famille',
    '🏳️‍🌈 fierté',
    '👩🏽‍🚀 là-haut',
    '🏴󠁧󠁢󠁳󠁣󠁴󠁿 Écosse',
    'می\u200Cخواهم بنویسم',
    'क्\u200Dष से',
    'Привет, мама',
    '生日快乐',
  ])('takes what people write: %s', (text) => {
    expect(read(text)).toBe(text)
  })

  it('leaves out what comes along with copied words', () => {
    expect(read('\uFEFFUne let\u00ADtre\u200B de\u2060main\u200E')).toBe('Une lettre demain')
  })
})

describe('a text of several lines', () => {
  const text = typedText({
    required: 'Rien n’est écrit',
    max: { length: 100, message: 'Trop long' },
  })

  it('keeps what was written, if there is something to see', () => {
    for (const written of ['Une\u200B lettre\n\nvraie', '\u202AUn numéro\u202C']) {
      expect(text.safeParse(written).data).toBe(written)
    }
    expect(text.safeParse('\u200B\n\u2800').error?.issues[0]?.message).toBe('Rien n’est écrit')
  })
})
