import { hexOf, utf8 } from '../src/proofs/bytes.ts'
import type { ProofVector } from './answers.ts'
import { fieldsWith, letterOf, proofV2Of, seal } from './letters.ts'
import { itemOf, leafIn, logOfItems, proofOf } from './log.ts'

const NOW = '2027-06-01T00:00:00.000Z'

/** White space and signs as people type, paste and are given them by programs; all in normal form C. */
const TYPED = [
  '  deux espaces devant, deux derrière  ',
  'Est-ce vrai\u00A0?\u202FOui\u202F!',
  'une ligne\u2028une autre\u2029un alinéa\u0085suite',
  '\tune tabulation\nune ligne vide\n\n',
  '\uFEFFune marque, un mot\u00ADcoupé\u200Bici',
  '👩\u200D👩\u200D👧 ❤\uFE0F 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
  '한글',
  'e\u0323\u0302'.normalize('NFC'),
  // Belongs to nobody in Unicode 17: no verifier may touch it.
  'inconnu\u0378\u{2FFFD}',
] as const

/** The same texts otherwise: what is hashed of them is normal form C. */
const SPELT_OTHERWISE = [
  'e\u0301te\u0301',
  'e\u0302\u0323',
  '\u1112\u1161\u11AB\u1100\u1173\u11AF',
  '\u212B\u2126\u212A',
  '\uFB1D\u0344\u0958',
  '\u{1D15E}',
  '\u1E9B\u0323',
] as const

export function makeTexts() {
  return [...TYPED, ...SPELT_OTHERWISE].map((text) => ({
    text,
    utf8: hexOf(utf8(text.normalize('NFC'))),
    is_normal: text.normalize('NFC') === text,
  }))
}

const ALTERED: readonly [name: string, alter: (text: string) => string][] = [
  ['without the space at its end', (text) => text.trimEnd()],
  ['without the space at its beginning', (text) => text.trimStart()],
  ['a no-break space made a space', (text) => text.replace('\u00A0', ' ')],
  ['a narrow one made a wide one', (text) => text.replace('\u202F', '\u00A0')],
  ['a line separator made a line feed', (text) => text.replace('\u2028', '\n')],
  ['an emoji that fell apart', (text) => text.replaceAll('\u200D', '')],
  ['Hangul in its letters', (text) => text.replace('한글', '한글'.normalize('NFD'))],
  ['without a mark that nobody sees', (text) => text.replace('\uFEFF', '')],
]

/** What a page shows beside a proof, and what it shows otherwise. */
export function pageProofs(): ProofVector[] {
  const log = logOfItems(5)
  const item = itemOf(4)
  const proof = proofOf(log, item, 4)
  const { id: revelation_id, authorId: author_id, title, content, revealAt: reveal_at } = item.facts
  const sealed_at = item.sealedAt
  const right = { revelation_id, author_id, version: 1, sealed_at, title, reveal_at, content }
  const { content: _, ...sealed } = right
  const known = { origin: log.origin, key: log.key, keys_note: null, checkpoint: null }
  const beside = (
    name: string,
    page: NonNullable<ProofVector['given']['page']>,
    state: ProofVector['state'] = 'failed',
  ): ProofVector => ({ name, proof, given: { known, now: NOW, page }, state })
  return [
    beside('a page that shows it', right, 'proved'),
    beside('a page that shows no text', sealed, 'proved'),
    beside(
      'a page in another normal form',
      { ...right, content: content.normalize('NFD') },
      'proved',
    ),
    {
      ...beside('a page of a letter that is still sealed', sealed, 'partly'),
      proof: { ...proof, opening: null },
    },
    beside('a page of another letter', { ...right, revelation_id: author_id }),
    beside('a page of another author', { ...right, author_id: revelation_id }),
    beside('a page of another version', { ...right, version: 2 }),
    beside('a page that dates the sealing otherwise', { ...right, sealed_at: reveal_at }),
    beside('a page that dates the reveal otherwise', { ...right, reveal_at: sealed_at }),
    beside('a page with another title', { ...right, title: `${title} ` }),
    beside('a page with another text', { ...right, content: `${content}\n` }),
  ]
}

/** Proofs of both formats of a letter of all these, right and with one of them changed. */
export function textProofs(): ProofVector[] {
  const content = `${TYPED.join('\n')}  `
  const log = logOfItems(3)
  const plain = itemOf(4)
  const item = { ...plain, facts: { ...plain.facts, title: ' Un\u202Ftitre\u00A0', content } }
  const first = proofOf(log, item, log.append(leafIn(item)))
  const letter = letterOf('of white space')
  seal(log, letter, {
    ...{ kind: 'create', version: 1, sealedAt: '2026-12-01T10:00:00.000Z' },
    fields: fieldsWith({ content: { type: 'text', value: content } }),
  })
  const dated = { signedAt: '2026-12-02T10:00:00.000Z', v2From: 4 }
  const second = proofV2Of(log, letter, { dated })
  const known = { origin: log.origin, key: log.key, keys_note: null, checkpoint: null }
  const given = { known, now: NOW }
  return [
    { name: 'format 1, white space and signs as typed', proof: first, given, state: 'proved' },
    { name: 'format 2, white space and signs as typed', proof: second, given, state: 'proved' },
    ...ALTERED.flatMap(([name, alter]): ProofVector[] => [
      {
        ...{ name: `format 1, ${name}`, given, state: 'failed' },
        proof: { ...first, opening: { ...first.opening, content: alter(content) } },
      },
      {
        ...{ name: `format 2, ${name}`, given, state: 'failed' },
        proof: {
          ...second,
          leaves: second.leaves.map((leaf) => ({
            ...leaf,
            fields: (leaf.format === 2 ? leaf.fields : []).map((field) =>
              field.name === 'content' ? { ...field, value: alter(content) } : field,
            ),
          })),
        },
      },
    ]),
  ]
}
