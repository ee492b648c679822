import { secondInWords } from '#contract/date-in-words.ts'
import { sentenceOf, titleOf, VERDICTS } from '#contract/proofs/steps-in-words.ts'
import type { Step, Verdict } from '#contract/proofs/verify-proof.ts'

const MARKS = {
  passed: { sign: '✓', label: 'Vérifié\u202F: ' },
  failed: { sign: '✗', label: 'Ne concorde pas\u202F: ' },
  later: { sign: '…', label: 'Pas encore\u202F: ' },
} as const

const count = new Intl.NumberFormat('fr')

function element(name: string, className: string, ...content: (Node | string)[]): HTMLElement {
  const node = document.createElement(name)
  if (className) node.className = className
  node.append(...content)
  return node
}

/** Shows the verdict, each step and what was verified; all of it as text, never as markup. */
export function showVerdict(into: HTMLElement, verdict: Verdict): void {
  const { state, steps } = verdict
  const all = element('section', '', element('p', `verdict ${state}`, VERDICTS[state]))
  all.append(element('ol', '', ...steps.map(showStep)))
  into.replaceChildren(all, ...showFacts(verdict))
}

function showStep(step: Step): HTMLElement {
  const { sign, label } = MARKS[step.state]
  const mark = element('span', 'mark', sign)
  mark.setAttribute('aria-hidden', 'true')
  const title = element('strong', '', element('i', 'sr-only', label), titleOf(step.name))
  return element(
    'li',
    step.state,
    mark,
    element('div', '', title, element('span', '', sentenceOf(step))),
  )
}

function entries(size: number): string {
  return `${count.format(size)}\u00A0${size < 2 ? 'inscription' : 'inscriptions'}`
}

function showFacts({ proof, checkpoint, state }: Verdict): HTMLElement[] {
  if (!proof) return []
  const facts: [name: string, value: string][] = []
  if (proof.opening) {
    facts.push(['Titre', proof.opening.title], ['Texte', proof.opening.content])
    facts.push(['Date de dévoilement', formatInstant(proof.opening.reveal_date)])
  }
  for (const { version, kind, sealed_at, leaf } of proof.versions) {
    const position =
      leaf === null ? 'pas encore au journal' : `inscription n°\u00A0${count.format(leaf + 1)}`
    const done = kind === 'create' ? 'scellée' : 'modifiée'
    facts.push([`Version ${version}, ${done} le`, `${formatInstant(sealed_at)} (${position})`])
  }
  if (checkpoint) {
    facts.push(['Journal', `${checkpoint.origin}, ${entries(checkpoint.size)}`])
  }
  if (proof.key)
    facts.push(['Clé du journal, à comparer avec celle que vous connaissez', proof.key])
  const heading = state === 'failed' ? 'Ce que cette preuve affirme' : 'Ce qui a été vérifié'
  const list = facts.flatMap(([name, value]) => [element('dt', '', name), element('dd', '', value)])
  return [element('section', '', element('h2', '', heading), element('dl', '', ...list))]
}

function formatInstant(text: string): string {
  return secondInWords(new Date(text), Intl.DateTimeFormat().resolvedOptions().timeZone)
}
