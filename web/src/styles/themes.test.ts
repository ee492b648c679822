import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { INKS, PAPERS } from '#contract/revelations.ts'

const css = readFileSync(`${import.meta.dirname}/themes.css`, 'utf8')
const [day = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')

const NONE = new Map<string, string>()
const everywhere = tokensOf(day, ':root')
const paper = tokensOf(day, ':root,\n.theme-paper')
const themes: Record<string, Map<string, string>> = {
  'the page by day and paper': cascade(everywhere, paper),
  'the night': cascade(everywhere, tokensOf(day, '.theme-night')),
  'the page in the dark': cascade(everywhere, tokensOf(dark, ':root')),
  'lamplight, paper in the dark': cascade(everywhere, paper, tokensOf(dark, '.theme-paper')),
}

const stationery = readFileSync(`${import.meta.dirname}/stationery.css`, 'utf8')
const [stationeryByDay = '', stationeryInTheDark = ''] = stationery.split('@media ')

/** What a letter looks like in either light: its words are in the ink, all else in the colours of its paper. */
const letters = Object.fromEntries(
  PAPERS.flatMap((name) =>
    INKS.flatMap((ink) => {
      const own = (text: string) =>
        [
          `.theme-paper[data-paper="${name}"]`,
          `.theme-paper[data-ink="${ink}"]`,
          `.theme-paper[data-paper="${name}"][data-ink="${ink}"]`,
        ].map((selector) => (text.includes(`\n${selector} {`) ? tokensOf(text, selector) : NONE))
      const lamplight = cascade(
        ...[everywhere, paper, tokensOf(dark, '.theme-paper')],
        ...[...own(stationeryByDay), ...own(unindented(stationeryInTheDark))],
      )
      return [
        [`${name}, ${ink}, by day`, cascade(everywhere, paper, ...own(stationeryByDay))],
        [`${name}, ${ink}, in lamplight`, lamplight],
      ] as const
    }),
  ),
)

const grounds = ['ground', 'surface', 'sunken']
const texts = ['ink', 'ink-soft', 'wax-ink', 'error-ink', 'ember-ink', 'leaf-ink']

describe.each(Object.entries(themes))('in %s', (_name, tokens) => {
  test.each(texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)))(
    '%s reads on %s',
    (text, ground) => {
      expect(contrast(tokens, text, ground)).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each([
    ['on-wax', 'wax'],
    ['on-wax', 'wax-hover'],
    ['on-ember', 'ember'],
    ['on-leaf', 'leaf'],
  ])('%s reads on %s', (text, ground) => {
    expect(contrast(tokens, text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(
    ['line-strong', 'focus'].flatMap((edge) => grounds.map((ground) => [edge, ground] as const)),
  )('%s is seen on %s', (edge, ground) => {
    expect(contrast(tokens, edge, ground)).toBeGreaterThanOrEqual(3)
  })
})

test.each(Object.entries(themes))(
  'in %s what is invalid is not the colour of the seal',
  (_name, tokens) => {
    expect(tokens.get('error-ink')).not.toBe(tokens.get('wax-ink'))
  },
)

test('every theme has a value for every colour', () => {
  const [first, ...others] = Object.values(themes).map((tokens) => [...tokens.keys()].sort())
  expect(first?.length).toBeGreaterThan(15)
  for (const names of others) expect(names).toEqual(first)
})

describe.each(Object.entries(letters))('a letter in %s', (_name, tokens) => {
  const onPaper = tokens.has('grain') ? [...grounds.slice(1), 'grain'] : grounds

  test.each(onPaper)('its words and all that stands beside them read on %s', (ground) => {
    for (const text of [tokens.has('letter-ink') ? 'letter-ink' : 'ink', ...texts]) {
      expect([text, contrast(tokens, text, ground) >= 4.5]).toEqual([text, true])
    }
    for (const edge of ['line-strong', 'focus']) {
      expect([edge, contrast(tokens, edge, ground) >= 3]).toEqual([edge, true])
    }
  })
})

/** Rules inside a media query as if they stood alone. */
function unindented(text: string): string {
  return text.replaceAll(/^ {2}/gm, '')
}

function tokensOf(text: string, selector: string): Map<string, string> {
  const start = text.indexOf(`${selector} {`)
  if (start < 0) throw new Error(`no rule for ${selector}`)
  const block = text.slice(start, text.indexOf('}', start))
  const [, applied] = /@apply ([a-z-]+);/.exec(block) ?? []
  return new Map([
    ...(applied ? tokensOf(css, `@utility ${applied}`) : []),
    ...[...block.matchAll(/--([a-z-]+): (.+);/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    ),
  ])
}

function cascade(...tokens: Map<string, string>[]): Map<string, string> {
  return new Map(tokens.flatMap((map) => [...map]))
}

function contrast(tokens: Map<string, string>, one: string, other: string): number {
  const [darker, lighter] = [luminance(tokens.get(one)), luminance(tokens.get(other))].sort(
    (a, b) => a - b,
  )
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(hex: string | undefined): number {
  if (!hex?.match(/^#[0-9a-f]{6}$/)) throw new Error(`not an opaque colour: ${hex}`)
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
