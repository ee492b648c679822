import { findDatesOutOfOrder } from '#contract/proofs/dates.ts'
import { evidenceInWords, judgeEvidence } from '#contract/proofs/evidence.ts'
import { assertedVersions, factsInWords, versionInWords } from '#contract/proofs/facts-in-words.ts'
import type { KnownLog } from '#contract/proofs/known-log.ts'
import type { Facts, SealedVersion, Step, Verdict } from '#contract/proofs/verdict.ts'
import {
  kindNamed,
  markOf,
  sentenceOf,
  titleOf,
  verdictInWords,
} from '#contract/proofs/verdict-in-words.ts'
import { element, formatInstant } from './element.ts'

const STEP_SIGNS = { proved: '✓', failed: '✗', later: '…', neutral: '·' } as const

const SIGNS = { proved: '✓', partly: '◔', unproved: '?', failed: '✗' } as const

/** Nobody asks this page what came later. */
const OF_TODAY = 'Une version plus récente peut exister\u202F: une preuve seule ne le dit pas.'

/** The verdict of one proof, each step, and what it says. */
export function showVerdict(verdict: Verdict): HTMLElement[] {
  const [summary, ...rest] = sentencesOf(verdict)
  return [
    element('section', '', ...showLetter(verdict), summary, ...rest, showSteps(verdict)),
    ...showSaid(verdict),
  ]
}

/** One of several: folded, but where something is wrong. */
export function showOneOf(verdict: Verdict, name: string): HTMLElement {
  const { state } = verdict
  const [headline, ...rest] = sentencesOf(verdict)
  const letter = letterOf(verdict)
  const about = element('span', 'hint', ...(letter ? [...letter, ' · '] : []), ...fileNamed(name))
  const summary = element('summary', '', about, headline)
  const steps = element('section', '', ...rest, showSteps(verdict))
  const details = element('details', '', summary, steps, ...showSaid(verdict))
  details.toggleAttribute('open', state === 'failed')
  return details
}

/** How many proofs end in which way, and of how many letters they are. */
export function showCounts(verdicts: readonly Verdict[]): HTMLElement {
  const letters = new Set(verdicts.map(({ proof }) => proof?.revelation_id ?? Symbol()))
  const counts = Map.groupBy(verdicts, ({ state }) => state)
  const parts = Object.entries(COUNTED).flatMap(([state, words]) => {
    const count = counts.get(state as keyof typeof COUNTED)?.length ?? 0
    return count > 0 ? `${count} ${words[count === 1 ? 0 : 1]}` : []
  })
  const of = letters.size === verdicts.length ? '' : ` de ${lettersInWords(letters.size)}`
  return element('p', 'counts', `${verdicts.length} preuves${of}\u202F: ${parts.join('\u202F; ')}.`)
}

function lettersInWords(count: number): string {
  return count === 1 ? 'la même lettre' : `${count} lettres`
}

/** What was written later in the log says that it is older, whoever wrote the two. */
export function showDatesOutOfOrder(verdicts: readonly Verdict[]): HTMLElement[] {
  const versions = verdicts.flatMap(({ facts }) => facts?.versions ?? [])
  const found = findDatesOutOfOrder(versions)
  if (!found) return []
  const [earlier, later] = [found.earlier, found.later].map(({ index, sealedAt }) => ({
    number: (index ?? 0) + 1,
    date: formatInstant(sealedAt),
  }))
  if (!earlier || !later) return []
  return [
    element(
      'section',
      '',
      showHeadline('failed', 'Les dates de ces preuves se contredisent.'),
      element(
        'p',
        'further',
        `L’inscription n°\u00A0${later.number} dit avoir été scellée le ${later.date}, et la n°\u00A0${earlier.number}, que le journal a reçue avant elle, le ${earlier.date}\u202F: l’une des deux dates au moins est fausse.`,
      ),
    ),
  ]
}

const COUNTED = {
  failed: ['ne concorde pas', 'ne concordent pas'],
  unproved: ['ne prouve rien', 'ne prouvent rien'],
  partly: [
    'concorde, mais il y manque quelque chose',
    'concordent, mais il y manque quelque chose',
  ],
  proved: ['concorde', 'concordent'],
} as const

function sentencesOf(verdict: Verdict): [HTMLElement, ...HTMLElement[]] {
  const [headline = '', ...sentences] = verdictInWords(verdict, formatInstant, {
    areHeldGiven: true,
  })
  const further = [...sentences, ...(verdict.facts ? [OF_TODAY] : [])]
  return [
    showHeadline(verdict.state, headline),
    ...further.map((one) => element('p', 'further', one)),
  ]
}

function showSteps(verdict: Verdict): HTMLElement {
  return element('ol', '', ...verdict.steps.map((step) => showStep(step, verdict)))
}

function showSaid(verdict: Verdict): HTMLElement[] {
  const { facts, claims } = verdict
  const said = facts ?? claims
  if (!said) return []
  const title = facts ? 'Ce que dit la preuve' : 'Ce que cette preuve affirme'
  const asserted = assertedVersions(verdict)
  return [
    showFacts(title, said, facts && THIS_TEXT),
    ...(asserted.length > 0
      ? [
          element(
            'section',
            '',
            element('h2', '', 'Ce que cette preuve affirme'),
            element('dl', '', ...asserted.flatMap(showVersion)),
          ),
        ]
      : []),
  ]
}

/** Whoever read the letter elsewhere has to compare it with this one. */
const THIS_TEXT =
  'C’est ce texte-ci que la preuve porte\u202F: comparez-le à celui qui vous a été montré ailleurs. Les dates sont la parole du site.'

/** What a file or a letter is called never reads as a sentence of this page. */
function showName(name: string): HTMLElement {
  return element('span', 'hint', ...fileNamed(name))
}

function showLetter(verdict: Verdict): HTMLElement[] {
  const letter = letterOf(verdict)
  return letter ? [element('span', 'hint', ...letter)] : []
}

type Words = (string | HTMLElement)[]

/** What the proof is of; undefined where its title is closed. */
function letterOf({ facts, claims }: Verdict): Words | undefined {
  const { title, kinds } = facts ?? claims ?? {}
  if (title === undefined) return undefined
  const kind = kinds?.at(-1)?.value
  return named(kind === undefined ? 'Révélation' : kindNamed(kind), title)
}

function fileNamed(name: string): Words {
  return named('Fichier', name)
}

function named(what: string, name: string): Words {
  return [`${what} «\u202F`, element('bdi', '', name), '\u202F»']
}

function showHeadline(state: keyof typeof SIGNS, headline: string): HTMLElement {
  return element(
    'span',
    `headline ${state}`,
    hidden(element('span', 'mark', SIGNS[state])),
    element('span', `verdict ${state}`, headline),
  )
}

/** From whoever listens: the words say the same. */
function hidden(mark: HTMLElement): HTMLElement {
  mark.setAttribute('aria-hidden', 'true')
  return mark
}

function showStep(step: Step, verdict: Verdict): HTMLElement {
  const { mark, label } = markOf(step, verdict)
  const title = element(
    'strong',
    '',
    element('i', 'sr-only', `${label}\u202F: `),
    titleOf(step.name),
  )
  const sentence = element('span', '', sentenceOf(step, formatInstant))
  return element(
    'li',
    mark,
    hidden(element('span', 'mark', STEP_SIGNS[mark])),
    element('div', '', title, sentence),
  )
}

function showFacts(title: string, facts: Facts, hint?: string): HTMLElement {
  const rows = factsInWords(facts, formatInstant)
  return element(
    'section',
    '',
    element('h2', '', title),
    ...(hint === undefined ? [] : [element('p', 'further', hint)]),
    element(
      'dl',
      '',
      ...facts.versions.flatMap(showVersion),
      ...rows.flatMap(([name, value]) => [element('dt', '', name), element('dd', '', value)]),
    ),
  )
}

function showVersion(version: SealedVersion): HTMLElement[] {
  const { done, place } = versionInWords(version, formatInstant)
  return [element('dt', '', done), element('dd', '', place)]
}

/** Two checkpoints that contradict each other, as a browser saved them. */
export function showEvidence(
  untrusted: unknown,
  known: KnownLog | undefined,
  name: string | undefined,
): HTMLElement {
  const judgement = judgeEvidence(untrusted, known)
  const [headline = '', ...sentences] = evidenceInWords(judgement, formatInstant)
  const state = judgement.state === 'proved' ? 'failed' : 'unproved'
  const all = element('section', '')
  if (name !== undefined) all.append(showName(name))
  all.append(
    showHeadline(state, headline),
    ...sentences.map((one) => element('p', '', one)),
    ...(judgement.evidence?.notes ?? []).map(({ note }) => element('pre', '', note.trimEnd())),
  )
  return all
}

/** A file that was given as a proof and is none: nobody forged anything. */
export function showNoProof(name: string): HTMLElement {
  const all = element('section', '', showName(name))
  all.append(
    showHeadline('unproved', 'Ce fichier n’est pas une preuve, ou il a été abîmé.'),
    element('p', 'further', 'Choisissez un fichier «\u202Fpreuve-….json\u202F».'),
  )
  return all
}
