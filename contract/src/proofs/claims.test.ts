import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)

/** As a reader sees it: no markup, no escapes, one kind of space. */
function readable(text: string): string {
  return text
    .replaceAll(
      /&#8239;|\\u202F|&nbsp;|\\u00A0|\{' '\}|<\/?[a-z]+(?: class(?:Name)?="[^"]*")?>/g,
      ' ',
    )
    .replaceAll(/\s+/g, ' ')
}

const rows = readFileSync(new URL('docs/claims.md', root), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, sentence, file] = /^\| « (.*?) » \| ([\w./-]+) \| .+ \|$/.exec(line) ?? []
    return sentence && file ? [{ sentence, file }] : []
  })

test('every claim that docs/claims.md answers for still stands where it says', () => {
  expect(rows.length).toBeGreaterThan(30)
  const lost = rows.filter(({ sentence, file }) => {
    const text = readable(readFileSync(new URL(file, root), 'utf8'))
    return !text.includes(readable(sentence))
  })
  expect(lost).toEqual([])
})
