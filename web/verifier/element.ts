import { provedInstantInWords } from '#contract/date-in-words.ts'

/** All that is shown is text, never markup. */
export function element(
  name: string,
  className: string,
  ...content: (Node | string)[]
): HTMLElement {
  const node = document.createElement(name)
  if (className) node.className = className
  node.append(...content)
  return node
}

/** By the clocks of this device and in UTC. */
export function formatInstant(text: string): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return provedInstantInWords(new Date(text), timeZone)
}
