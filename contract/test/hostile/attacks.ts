import { fieldsWith } from '../letters.ts'
import { bytesFor, itemOf } from '../log.ts'
import { type Bundle, type Corpus, exportOf, heldOf, NOW, noteAt, textOf } from './corpus.ts'
import { altered, type Json, leavesOf, listAt } from './random.ts'
import { type Sealed, sealLeaf, signatureLine, signedNote, signerOf, timeOf } from './world.ts'

/** What chance would seldom find: one thing that is wrong in a proof or a memory that is right otherwise. */
export function attacksOn(corpus: Corpus): Bundle[] {
  return [
    ...onProofs(corpus),
    ...onMemories(corpus),
    aStrangerWhoContradictsTheSite(corpus),
    aKeyUnderAnotherId(corpus),
    ...aStolenKey(corpus),
  ]
}

/** The proof at 300 leaves of a letter of several versions, which also has several files and fields of later. */
function rightProofs({ site, known }: Corpus): [edited: Bundle, album: Bundle] {
  const bundles = site.letters.map((letter) => ({
    name: 'right',
    proof: exportOf(site, letter, 300) as unknown,
    given: { known, now: NOW },
  }))
  const leaves = ({ proof }: Bundle) => leavesOf(proof as Json)
  const filesOf = (bundle: Bundle) =>
    listAt(leaves(bundle).at(-1), 'fields').find(({ name }) => name === 'files')?.value
  const edited = bundles.find(
    (bundle) => leaves(bundle).length > 2 && leaves(bundle).every(({ format }) => format === 2),
  )
  const album = bundles.find((bundle) => {
    const files = filesOf(bundle)
    return Array.isArray(files) && files.length > 1
  })
  if (!edited || !album) throw new Error('The letters to attack are missing')
  return [edited, album]
}

function onProofs(corpus: Corpus): Bundle[] {
  const [edited, album] = rightProofs(corpus)
  const last = (proof: Json) => leavesOf(proof).findLast(({ kind }) => kind !== 'change') as Json
  const field = (proof: Json, name: string) =>
    listAt(last(proof), 'fields').find((one) => one.name === name) as Json
  const wrong = (name: string, alter: (proof: Json) => void) => ({
    ...{ ...edited, name },
    proof: altered(edited, alter),
  })
  const resigned = (name: string, line: string) =>
    wrong(name, (proof) => {
      const text = `${textOf(String(proof.checkpoint))}${line}`
      const { origin, second } = corpus.site
      proof.checkpoint = `${text}\n${signatureLine(text, origin, second)}`
    })
  return [
    wrong('a number that leaps', (proof) => {
      const leaf = leavesOf(proof).at(-1) as Json
      leaf.version = Number(leaf.version) + 1
    }),
    wrong('a title that is none', (proof) => {
      Object.assign(field(proof, 'title'), { type: 'none', value: null })
    }),
    wrong('a date that is text', (proof) => {
      field(proof, 'reveal_at').type = 'text'
    }),
    wrong('half a character', (proof) => {
      field(proof, 'content').value = 'Je parie\ud83d'
    }),
    wrong('a text in another normal form', (proof) => {
      field(proof, 'content').value = 'Je parie que l’e\u0301lan'
    }),
    resigned('a line with a tab', 'a\tline\n'),
    resigned('a line with half a character', 'a\ud83dline\n'),
    resigned('a line with what stands for it', 'a\ufffdline\n'),
    {
      ...{ ...album, name: 'a name beside a file' },
      proof: altered(album, (proof) => {
        for (const file of listAt(field(proof, 'files'), 'value')) file.caption = 'Autre chose'
      }),
    },
    {
      ...{ ...album, name: 'captions beside each other’s file' },
      proof: altered(album, (proof) => {
        const files = listAt(field(proof, 'files'), 'value')
        const labels = files.map(({ label }) => label)
        for (const [at, file] of files.entries()) Object.assign(file, { label: labels.at(-1 - at) })
      }),
    },
    {
      ...{ ...album, name: 'an album in another order' },
      proof: altered(album, (proof) => void listAt(field(proof, 'files'), 'value').reverse()),
    },
    ...filesOfAlbum(album),
  ]
}

/** One of several files, all of them, all and another. */
function filesOfAlbum(album: Bundle): Bundle[] {
  const fields = leavesOf(album.proof as Json).flatMap((leaf) => listAt(leaf, 'fields'))
  const files = fields
    .flatMap((field) => listAt(field, 'value'))
    .map(({ sha256 }) => String(sha256))
  return [files.slice(1), files, [...files, '0'.repeat(64)]].map((given, at) => ({
    ...album,
    name: `files of an album (${at})`,
    given: { ...album.given, files: given },
  }))
}

function onMemories(corpus: Corpus): Bundle[] {
  const { site, fork } = corpus
  const [edited] = rightProofs(corpus)
  const remembering = (name: string, held: NonNullable<Bundle['given']['held']>) => ({
    ...{ ...edited, name },
    given: { ...edited.given, held },
  })
  const older = signedNote(site, 240, '2026-11-12T00:00:00.000Z')
  const later = signedNote(site, 240, '2026-11-15T00:00:00.000Z')
  for (const note of [older, later]) corpus.signed.set(textOf(note.note), { world: site, note })
  const at240 = heldOf(site, 240, 300)
  return [
    remembering('two that quarrel, unanswered', [heldOf(site, 240), heldOf(fork, 240)]),
    remembering('two that quarrel, carried', [
      { ...heldOf(site, 240), source: 'carried' },
      { ...heldOf(fork, 240), source: 'carried' },
    ]),
    remembering('one size at two dates', [at240, { ...at240, note: older.note }]),
    remembering('a smaller one of later', [{ ...at240, note: later.note }]),
    remembering('a fork that the log denies', [heldOf(fork, 240, 300)]),
    remembering('a fork without an answer', [heldOf(fork, 240)]),
    remembering('a fork of the same size', [heldOf(fork, 300)]),
  ]
}

/** A log under its own key has sealed in 1999: what the site signed says nothing of it. */
function aStrangerWhoContradictsTheSite({ site, foreign, known }: Corpus): Bundle {
  const { id, authorId } = itemOf(20_000).facts
  const letter: Sealed = { id, authorId, blinding: bytesFor(`blinding of ${id}`), leaves: [] }
  const sealedAt = '1999-01-01T00:00:00.000Z'
  sealLeaf(foreign.log, letter, { kind: 'create', version: 1, sealedAt, fields: fieldsWith() })
  const size = foreign.log.size
  foreign.notes.set(size, signedNote(foreign, size, timeOf(size)))
  const proof = exportOf(foreign, letter, size)
  return { name: 'a stranger', proof, given: { known, now: NOW, held: [heldOf(site, 300)] } }
}

/** Rightly signed, by a key whose text names another id. */
function aKeyUnderAnotherId({ foreign, known }: Corpus): Bundle {
  const own = signerOf(foreign.origin, 'a key under another id')
  const [, encoded] = /\+[0-9a-f]{8}\+(.+)$/.exec(own.key) ?? []
  const text = textOf(noteAt(foreign, 300).note)
  const checkpoint = `${text}\n${signatureLine(text, foreign.origin, own)}`
  const letter = foreign.letters.at(-1) as Sealed
  const proof = {
    ...exportOf(foreign, letter, 300),
    checkpoint,
    key: `${foreign.origin}+00000000+${encoded}`,
  }
  return { name: 'a key under another id', proof, given: { known, now: NOW } }
}

/** Whoever stole the former key shows a log of their own below its size, after a mail with the very checkpoint. */
function aStolenKey({ site, foreign, known }: Corpus): Bundle[] {
  const text = textOf(noteAt(foreign, 64).note)
  const note = `${text}\n${signatureLine(text, site.origin, site.first)}`
  const letter = foreign.letters[0] as Sealed
  const { key } = site.first
  const proof = { ...exportOf(foreign, letter, 64), key, checkpoint: note }
  const held = [{ key, note, source: 'mailed' as const, since: NOW }]
  return [[], held].map((kept, at) => ({
    ...{ name: `a stolen key (${at})`, proof },
    given: { known, now: NOW, held: kept },
  }))
}
