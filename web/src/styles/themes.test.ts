import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(`${import.meta.dirname}/themes.css`, 'utf8')
const [day = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')

const everywhere = tokensOf(day, ':root')
const paper = tokensOf(day, ':root,\n.theme-paper')
const themes = {
  'the page by day and paper': cascade(everywhere, paper),
  'the night': cascade(everywhere, tokensOf(day, '.theme-night')),
  'the page in the dark': cascade(everywhere, tokensOf(dark, ':root')),
  'lamplight, paper in the dark': cascade(everywhere, paper, tokensOf(dark, '.theme-paper')),
}

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
