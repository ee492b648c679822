import { base64Of, bytesOfBase64, hexOf } from '../../src/proofs/bytes.ts'
import type { Given } from '../answers.ts'
import { type Bundle, type Corpus, exportOf, heldOf, noteAt, textOf } from './corpus.ts'
import { altered, type Json, type Mutation, oneOfNames, type Random } from './random.ts'
import { ROTATED_AT, SIZES, type Signer, signatureLine, signerOf, type World } from './world.ts'

const own = signerOf('revelations.example/log', 'a key of one’s own')

type Forgery = (proof: Json, corpus: Corpus, random: Random, given: Given) => Given | undefined

/** What can be signed by whoever has a key of their own, or one that was replaced. */
export function forge(bundle: Bundle, random: Random, corpus: Corpus): Mutation {
  const [way, forging] = oneOfNames({ ...FORGERIES, ...STATEMENTS }, random)
  let given: Given | undefined
  const proof = altered(bundle, (copy) => {
    given = forging(copy, corpus, random, bundle.given)
  })
  return { name: `own key: ${way}`, proof, ...(given && { given }) }
}

function signedBy(signer: Signer, note: unknown): string {
  const text = textOf(String(note))
  return `${text}\n${signatureLine(text, String(text.split('\n')[0]), signer)}`
}

/** Puts the proof of a letter of that world in the place of this one. */
function replace(proof: Json, world: World, size: number, random: Random): void {
  const there = world.letters.filter((letter) => (letter.leaves[0]?.index ?? size) < size)
  const other = exportOf(world, random.oneOf(there), size)
  for (const name of Object.keys(proof)) delete proof[name]
  Object.assign(proof, other)
}

const after = (random: Random) => random.oneOf(SIZES.filter((size) => size > ROTATED_AT))
const before = (random: Random) => random.oneOf(SIZES.filter((size) => size <= ROTATED_AT))

const FORGERIES: Record<string, Forgery> = {
  'all of it under an own key': (proof) => {
    proof.key = own.key
    proof.checkpoint = signedBy(own, proof.checkpoint)
    return undefined
  },
  'another log under an own key': (proof, { foreign, elsewhere }, random) => {
    replace(proof, random.oneOf([foreign, elsewhere]), random.oneOf(SIZES), random)
    return undefined
  },
  'another log under the key of the site': (proof, { foreign, site }, random) => {
    replace(proof, foreign, random.oneOf(SIZES), random)
    proof.key = random.oneOf([site.first.key, site.second.key])
    return undefined
  },
  'another log with the signature of the site': (proof, { foreign, site }, random) => {
    const size = random.oneOf(SIZES)
    replace(proof, foreign, size, random)
    const { note, key } = noteAt(site, size)
    proof.checkpoint = `${textOf(noteAt(foreign, size).note)}${note.slice(textOf(note).length)}`
    proof.key = key
    return undefined
  },
  'an own signature under the key of the site': (proof) => {
    proof.checkpoint = signedBy(own, proof.checkpoint)
    return undefined
  },
  'an own signature with the id of the site': (proof, { site, foreign }, random) => {
    const size = after(random)
    replace(proof, foreign, size, random)
    proof.key = site.second.key
    proof.checkpoint = signedBy({ ...own, id: site.second.id }, proof.checkpoint)
    return undefined
  },
  'an own key with the id of the site': (proof, { site }) => {
    const encoded = own.key.slice(own.key.indexOf('+', own.key.indexOf('+') + 1) + 1)
    proof.key = `${site.origin}+${hexOf(site.second.id)}+${encoded}`
    proof.checkpoint = signedBy({ ...own, id: site.second.id }, proof.checkpoint)
    return undefined
  },
  'the keys of the site exchanged': (proof, { site }) => {
    proof.key = proof.key === site.first.key ? site.second.key : site.first.key
    return undefined
  },
  'another key without its checkpoint': (proof, { foreign, site }, random) => {
    proof.key = random.oneOf([foreign.second.key, own.key, site.first.key, null, ''])
    return undefined
  },
  'a former key beyond its size': (proof, { site, fork }, random) => {
    const world = random.oneOf([site, fork])
    replace(proof, world, after(random), random)
    proof.key = site.first.key
    proof.checkpoint = signedBy(site.first, proof.checkpoint)
    return undefined
  },
  'a former key at its size for a fork': (proof, { fork }, random) => {
    replace(proof, fork, ROTATED_AT, random)
    return undefined
  },
  'a former key below its size for another log': (proof, { foreign, site }, random, given) => {
    const size = before(random)
    replace(proof, foreign, size, random)
    proof.key = site.first.key
    proof.checkpoint = signedBy(site.first, proof.checkpoint)
    return { ...given, held: random.below(2) === 0 ? [] : [heldOf(site, before(random), size)] }
  },
  'a former key below its size': (proof, { site }, random, given) => {
    replace(proof, site, before(random), random)
    return { ...given, held: [heldOf(site, before(random))] }
  },
  'no log known': (_proof, _corpus, _random, given) => ({ ...given, known: null }),
  'another log known': (_proof, { foreign, elsewhere, known }, random, given) => {
    const world = random.oneOf([foreign, elsewhere])
    const other = { ...known, origin: world.origin, key: world.second.key, keys_note: null }
    return { ...given, known: other }
  },
}

/** A verifier that was handed another statement about former keys than the true one. */
function stating(alter: (note: string, corpus: Corpus, random: Random) => string | null): Forgery {
  return (_proof, corpus, random, given) => ({
    ...given,
    known: { ...corpus.known, keys_note: alter(corpus.known.keys_note ?? '', corpus, random) },
  })
}

/** The same text, otherwise written, signed as it should be. */
function restated(alter: (text: string, corpus: Corpus) => string): Forgery {
  return stating((note, corpus) => {
    const text = alter(textOf(note), corpus)
    const { origin, first, second } = corpus.site
    const lines = [second, first].map((signer) => signatureLine(text, origin, signer))
    return `${text}\n${lines.join('')}`
  })
}

function reroot(text: string): string {
  const encoded = text.split(' ').at(-2) ?? ''
  const root = bytesOfBase64(encoded) ?? new Uint8Array()
  return text.replace(encoded, base64Of(root.toReversed()))
}

const STATEMENTS: Record<string, Forgery> = {
  'no statement': stating(() => null),
  'an empty statement': stating(() => ''),
  'a statement with one signature': stating((note, _, random) => {
    const lines = note.trimEnd().split('\n')
    lines.splice(-1 - random.below(2), 1)
    return `${lines.join('\n')}\n`
  }),
  'a statement signed in the other order': stating((note) => {
    const lines = note.trimEnd().split('\n')
    return `${[...lines.slice(0, -2), ...lines.slice(-2).reverse()].join('\n')}\n`
  }),
  'a statement about a larger size': stating((note) => note.replace(` ${ROTATED_AT} `, ' 300 ')),
  'a statement about another root': stating(reroot),
  'a statement that own and former key sign': stating((note, { site }) => {
    const text = textOf(note).replace(site.second.key, own.key)
    return `${text}\n${[own, site.first].map((one) => signatureLine(text, site.origin, one)).join('')}`
  }),
  'a statement that own key and key sign': stating((note, { site }) => {
    const text = textOf(note).replace(site.first.key, own.key)
    return `${text}\n${[site.first, site.second].map((one) => signatureLine(text, site.origin, one)).join('')}`
  }),
  'a statement of another kind': restated((text) => text.replace('/v1', '/v2')),
  'a statement of another origin': restated((text) => text.replace('\nrevelations', '\nelsewhere')),
  'a statement without former keys': restated((text) => text.replace(/former .*\n/, '')),
  'a statement with one key twice': restated((text) => text.replace(/(former .*\n)/, '$1$1')),
  'a statement with a line more': restated((text) => `${text}more\n`),
  'a statement with two spaces': restated((text) => text.replace('former ', 'former  ')),
  'a statement with a zero before': restated((text) => text.replace(/ (\d+) /, ' 0$1 ')),
  'a statement whose size falls': restated((text, { foreign }) =>
    text.replace(/former (\S+) (\d+) (\S+ \S+)\n/, `former ${foreign.first.key} 201 $3\n$&`),
  ),
  'a statement whose root changes': restated((text, { foreign }) => {
    const [line = ''] = /former .*\n/.exec(text) ?? []
    return text.replace(
      line,
      `${reroot(line).replace(/former \S+/, `former ${foreign.first.key}`)}${line}`,
    )
  }),
}
