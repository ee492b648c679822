import { act, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeAll, expect, it } from 'vitest'
import { followTranslation } from './translated-page.ts'

beforeAll(followTranslation)

/** As browsers do: each text gives its place to an element that holds the translation. */
function translate(root: Node, how: 'replaced' | 'inserted' | 'wrapped' = 'replaced'): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text)
  for (const text of texts) {
    const font = document.createElement('font')
    font.append(document.createElement('font'))
    const inner = font.firstElementChild as Element
    inner.textContent = `« ${text.data} »`
    if (how === 'replaced') text.replaceWith(font)
    else text.before(font)
    if (how === 'inserted') text.remove()
    if (how === 'wrapped') inner.replaceChildren(text)
  }
}

let change: (state: { isOpen: boolean; count: number }) => void

function Letter() {
  const [{ isOpen, count }, setState] = useState({ isOpen: false, count: 1 })
  change = setState
  return (
    <p data-testid="letter">
      {isOpen ? <b>ouverte</b> : 'scellée'}
      {!isOpen && ', encore '}
      {count} jour
    </p>
  )
}

const read = () => screen.getByTestId('letter').textContent

it.each(['replaced', 'inserted', 'wrapped'] as const)(
  'follows what changes on a page whose texts were %s',
  async (how) => {
    render(<Letter />)
    translate(screen.getByTestId('letter'), how)
    await act(async () => change({ isOpen: true, count: 1 }))
    expect(read()).toContain('ouverte')
    expect(read()).not.toContain('scellée')
    expect(read()).not.toContain('encore')
    await act(async () => change({ isOpen: false, count: 2 }))
    expect(read()).toContain('scellée, encore 2')
    expect(read()).not.toContain('ouverte')
  },
)

it('shows what is written after the translation, time and again', async () => {
  render(<Letter />)
  for (const count of [2, 3]) {
    translate(screen.getByTestId('letter'))
    await act(async () => change({ isOpen: false, count }))
    expect(read()).toContain(`${count}`)
    expect(read()).not.toContain(`${count - 1}`)
  }
})

it('still refuses what was never a child', () => {
  const stranger = document.createElement('i')
  expect(() => document.body.removeChild(stranger)).toThrow('not a child')
})
