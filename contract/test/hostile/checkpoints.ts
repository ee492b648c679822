import { base64Of } from '../../src/proofs/bytes.ts'
import { bytesFor } from '../log.ts'
import { type Bundle, type Corpus, noteAt, textOf } from './corpus.ts'
import { altered, type Json, type Mutation, oneOfNames, type Random } from './random.ts'
import { SIZES, signatureLine, signedNote, V2_FROM } from './world.ts'

type Edit = (proof: Json, corpus: Corpus, random: Random) => void

/** The checkpoint of another moment or log, or this one written otherwise, rightly signed and not. */
export function alterCheckpoint(bundle: Bundle, random: Random, corpus: Corpus): Mutation {
  const [way, edit] = oneOfNames({ ...OTHERS, ...UNSIGNED, ...SIGNED, ...LINES }, random)
  return {
    name: `checkpoint: ${way}`,
    proof: altered(bundle, (proof) => edit(proof, corpus, random)),
  }
}

function sizeOf(proof: Json): number {
  return Number(String(proof.checkpoint).split('\n')[1])
}

const OTHERS: Record<string, Edit> = {
  'of another size': (proof, { site }, random) => {
    const { key, note } = noteAt(site, random.oneOf(SIZES))
    Object.assign(proof, { key, checkpoint: note })
  },
  'of a fork': (proof, { fork }) => {
    proof.checkpoint = noteAt(fork, sizeOf(proof)).note
  },
  'of another log': (proof, { foreign }) => {
    proof.checkpoint = noteAt(foreign, sizeOf(proof)).note
  },
  'of another origin': (proof, { elsewhere }) => {
    proof.checkpoint = noteAt(elsewhere, sizeOf(proof)).note
  },
  none: (proof, _, random) => {
    proof.checkpoint = null
    if (random.below(2) === 0) proof.key = null
  },
  undated: (proof, { site, signed }) => {
    const size = sizeOf(proof)
    const note = signedNote(site, size, null)
    if (size > V2_FROM) signed.set(textOf(note.note), { world: site, note })
    proof.checkpoint = note.note
  },
}

/** Edits of the text below the same signature. */
function unsigned(edit: (note: string, random: Random) => string): Edit {
  return (proof, _, random) => {
    proof.checkpoint = edit(String(proof.checkpoint), random)
  }
}

const UNSIGNED: Record<string, Edit> = {
  'one leaf more': unsigned((note) => note.replace(/\n(\d+)\n/, (_, n) => `\n${Number(n) + 1}\n`)),
  'a zero before the size': unsigned((note) => note.replace(/\n(\d)/, '\n0$1')),
  'another root': unsigned((note) => note.replace(/\n(.)(.)/g, '\n$2$1')),
  'a line less': unsigned((note, random) =>
    note.split('\n').toSpliced(random.below(6), 1).join('\n'),
  ),
  'a line twice': unsigned((note, random) => {
    const lines = note.split('\n')
    const at = random.below(lines.length - 1)
    return lines.toSpliced(at, 0, lines[at] ?? '').join('\n')
  }),
  'lines that end as elsewhere': unsigned((note) => note.replaceAll('\n', '\r\n')),
  'without its end': unsigned((note) => note.slice(0, -1)),
  'with more at its end': unsigned(
    (note, random) => note + random.oneOf(['\n', 'x', ' ', '\n\n', '\u0000']),
  ),
  'another date': unsigned((note) => note.replace(/signed_at 2026/, 'signed_at 2025')),
  'format 2 from elsewhere': unsigned((note) => note.replace(/v2_from \d+/, 'v2_from 0')),
  'half a character': unsigned((note) => note.replace('signed', '\ud83d')),
  'a letter altered': unsigned((note, random) => {
    const at = random.below(note.length)
    return `${note.slice(0, at)}${String.fromCharCode(note.charCodeAt(at) ^ 1)}${note.slice(at + 1)}`
  }),
}

/** Edits of the text that the site signed; `isRight` where they leave it as true as it was. */
function signed(edit: (text: string) => string, isRight = false): Edit {
  return (proof, corpus) => {
    const { site } = corpus
    const before = textOf(String(proof.checkpoint))
    const text = edit(before)
    const signer = proof.key === site.first.key ? site.first : site.second
    proof.checkpoint = `${text}\n${signatureLine(text, site.origin, signer)}`
    const known = corpus.signed.get(before)
    if (known && (isRight || text === before)) corpus.signed.set(text, known)
  }
}

const SIGNED: Record<string, Edit> = {
  'signed, a line more': signed((text) => `${text}a further line\n`, true),
  'signed, an empty line more': signed((text) => `${text}\n`, true),
  'signed, its dates exchanged': signed((text) =>
    text.replace(/(signed_at .*\n)(v2_from .*\n)/, '$2$1'),
  ),
  'signed, one date twice': signed((text) => text.replace(/(signed_at .*\n)/, '$1$1')),
  'signed, all dates twice': signed((text) =>
    text.replace(/(signed_at .*\n)(v2_from .*\n)/, '$1$2$1$2'),
  ),
  'signed, another date below': signed((text) => `${text}signed_at 1999-01-01T00:00:00.000Z\n`),
  'signed, a line between': signed((text) => text.replace('v2_from', 'more\nv2_from')),
  'signed, a line before the dates': signed((text) => text.replace('signed_at', 'more\nsigned_at')),
  'signed, half of the dates': signed((text) => text.replace(/v2_from .*\n/, '')),
  'signed, the other half': signed((text) => text.replace(/signed_at .*\n/, '')),
  'signed, a date that is none': signed((text) => text.replace(/\.\d{3}Z/, 'Z')),
  'signed, a zero before': signed((text) => text.replace(/v2_from /, 'v2_from 0')),
  'signed, without number': signed((text) => text.replace(/v2_from \d+/, 'v2_from ')),
  'signed, format 2 from elsewhere': signed(
    (text) => text.replace(/v2_from \d+/, 'v2_from 101'),
    true,
  ),
  'signed, under another name': signed((text) => text.replace(/^.*\n/, 'elsewhere.example/log\n')),
  'signed, no size': signed((text) => text.replace(/\n\d+\n/, '\n\n')),
  'signed, a size beyond all': signed((text) => text.replace(/\n\d+\n/, '\n9007199254740992\n')),
  'signed, a root of 33 bytes': signed((text) =>
    text.replace(/\n(.{43}=)\n/, `\n${'A'.repeat(44)}\n`),
  ),
}

/** Other lines below the text. */
function signatures(edit: (line: string, random: Random) => string): Edit {
  return (proof, _, random) => {
    const note = String(proof.checkpoint)
    const text = textOf(note)
    proof.checkpoint = `${text}\n${edit(note.slice(text.length + 1), random)}`
  }
}

const witness = `— witness.example/w ${base64Of(bytesFor('a witness'))}\n`

const LINES: Record<string, Edit> = {
  'with a witness': signatures((line) => `${line}${witness}`),
  'with a witness before': signatures((line) => `${witness}${line}`),
  'with its signature twice': signatures((line) => `${line}${line}`),
  'with another signature before': signatures(
    (line) => `${line.replace(/.{8}=\n/, 'AAAAAAAA=\n')}${line}`,
  ),
  'a witness alone': signatures(() => witness),
  'no signature': signatures(() => ''),
  'a signature under another name': signatures((line) => line.replace('revelations', 'elsewhere')),
  'a signature with another id': signatures((line) => line.replace(/ (.)([^ ]+)\n$/, ' A$2\n')),
  'a signature altered': signatures((line, random) => {
    const at = line.length - 10 - random.below(60)
    return `${line.slice(0, at)}${line[at] === 'A' ? 'B' : 'A'}${line.slice(at + 1)}`
  }),
  'another dash': signatures((line) => line.replace('—', '-')),
  'two spaces': signatures((line) => line.replace(/ ([^ ]+)\n$/, '  $1\n')),
  'a line that is none': signatures((line) => `${line}more\n`),
}
