/** For a browser: React hydrates a page element by element, without the rest of the application. */
import { createElement, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'

const ANSWERS = new Set(['a', 'button', 'input'])

function read(node: Node): ReactNode {
  if (node instanceof Text) return node.data
  if (!(node instanceof Element)) return null
  const children = [...node.childNodes].map(read)
  // Attributes are those of the page already: React does not compare them in production.
  const props = ANSWERS.has(node.localName) ? { onClick: () => undefined } : null
  return createElement(node.localName, props, ...children)
}

const root = document.querySelector('#root')
if (root) hydrateRoot(root, [...root.childNodes].map(read))
