/** What is asked of the style of every element again and again: whether it is seen, and whether it can be clicked. */
const INHERITED = new Map([
  ['visibility', 'visible'],
  ['pointer-events', 'auto'],
])

/** Elements whose display depends on more than their name. */
const PARTICULAR = new Set(['dialog', 'embed', 'input', 'summary'])

const displays = new Map<string, string>()
const changesLooks = new WeakMap<CSSStyleSheet, boolean>()

/**
 * jsdom applies its whole default style sheet to each element again after each change of the page, a third of the time of
 * all tests. Where no style sheet, style or hidden attribute has a say, the answer is the default, and is given at once.
 */
export function answerStylesQuickly(): void {
  const jsdomStyle = window.getComputedStyle
  const ofJsdom = (element: Element, property: string) =>
    jsdomStyle(element).getPropertyValue(property)

  const readDisplay = (element: Element) => {
    const name = element.localName
    if (isStyled(element, 'display') || PARTICULAR.has(name)) return ofJsdom(element, 'display')
    const key = `${name} ${element.namespaceURI}`
    let display = displays.get(key)
    if (display === undefined) {
      display = ofJsdom(element, 'display')
      displays.set(key, display)
    }
    return display
  }

  const read = (element: Element, property: string) => {
    const initial = INHERITED.get(property)
    if ((property !== 'display' && initial === undefined) || hasStyleSheet(element)) {
      return ofJsdom(element, property)
    }
    if (initial === undefined) return readDisplay(element)
    for (let styled: Element | null = element; styled; styled = styled.parentElement) {
      if (isStyled(styled, property)) return ofJsdom(element, property)
    }
    return initial
  }

  window.getComputedStyle = (element, pseudoElement) =>
    pseudoElement
      ? jsdomStyle(element, pseudoElement)
      : new Proxy({} as CSSStyleDeclaration, {
          get: (_target, name) => {
            if (name === 'getPropertyValue') return (property: string) => read(element, property)
            if (name === 'display' || name === 'visibility') return read(element, name)
            if (name === 'pointerEvents') return read(element, 'pointer-events')
            const style = jsdomStyle(element)
            const value = Reflect.get(style, name)
            return typeof value === 'function' ? value.bind(style) : value
          },
        })
}

/** Whether attributes of the element may change the property, for itself and what it contains. */
function isStyled(element: Element, property: string): boolean {
  return (
    element.hasAttribute('hidden') ||
    element.hasAttribute('popover') ||
    (element.getAttribute('style')?.includes(property) ?? false)
  )
}

function hasStyleSheet({ ownerDocument: { styleSheets } }: Element): boolean {
  for (const sheet of styleSheets) {
    let changes = changesLooks.get(sheet)
    if (changes === undefined) {
      changes = /display|visibility|pointer-events/.test(
        [...sheet.cssRules].map(({ cssText }) => cssText).join(),
      )
      changesLooks.set(sheet, changes)
    }
    if (changes) return true
  }
  return false
}
