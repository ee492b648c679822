import type { ProofV2 } from '../src/proofs/proof.ts'
import type { Given, ProofVector } from './answers.ts'
import { exportOf, kindsOf, knownOf, NOW } from './hostile/corpus.ts'
import { altered, type Json, leavesOf, listAt } from './hostile/random.ts'
import { createWorld, FORKED_AT, type Sealed, type World } from './hostile/world.ts'
import { datesAndAudiences, keys, memories } from './known-log-vectors.ts'
import { filesOf, filesOfLast, sorts } from './sample-letters.ts'

type State = ProofVector['state']
type Case = [name: string, state: State, alter: (proof: Json) => void]

/** What verifiers are shown of a log of 300 leaves that began in format 1 and changed its key at 200. */
export function boundProofs(): ProofVector[] {
  const site = createWorld()
  const fork = createWorld({ forkedAt: FORKED_AT })
  return [
    ...letters(site),
    ...letterAltered(site),
    ...albums(site),
    ...keys(site),
    ...memories(site, fork),
    ...datesAndAudiences(site),
    ...relabelled(site),
  ]
}

function letters(site: World): ProofVector[] {
  const known = knownOf(site)
  const { plain, changed, album, immediate, mixed, changedAlone } = sorts(site)
  const shown = (name: string, letter: Sealed, state: State, more: Partial<Given> = {}) => ({
    ...{ name, state, proof: exportOf(site, letter, 300) },
    given: { known, now: NOW, ...more },
  })
  const files = filesOf(album)
  const closed = { closed: ['content', 'files'] }
  return [
    shown('a letter of format 2', plain, 'proved', { files: filesOf(plain) }),
    shown('edited, then for another audience', changed, 'proved', { files: filesOf(changed) }),
    shown('published at once', immediate, 'proved', { files: filesOf(immediate) }),
    shown('files and names of later', album, 'proved', { files }),
    shown('files that were not given', album, 'partly'),
    shown('one of its files', album, 'partly', { files: files.slice(0, 1) }),
    shown('its files and another', album, 'failed', { files: [...files, '0'.repeat(64)] }),
    {
      ...shown('format 2, still sealed', plain, 'partly'),
      proof: exportOf(site, plain, 300, closed),
    },
    shown('of format 1, edited in format 2', mixed, 'proved', { files: filesOf(mixed) }),
    shown('of format 1, for another audience', changedAlone, 'proved', {
      files: filesOf({ ...changedAlone, leaves: changedAlone.leaves.slice(0, 1) }),
    }),
    {
      ...shown('of format 1, for another audience, still sealed', changedAlone, 'partly'),
      proof: exportOf(site, changedAlone, 300, closed),
    },
    {
      ...shown('an edit that is not in the log yet', changed, 'unproved'),
      proof: exportOf(site, changed, sizeBefore(site, changed, 'edit'), { isPending: true }),
    },
    {
      ...shown('a change that is not in the log yet', changed, 'unproved', {
        files: filesOf(changed),
      }),
      proof: exportOf(site, changed, sizeBefore(site, changed, 'change'), { isPending: true }),
    },
  ]
}

/** The last size at which the log had signed without this leaf. */
function sizeBefore({ notes }: World, { leaves }: Sealed, kind: string): number {
  const index = leaves.find((leaf) => leaf.kind === kind)?.index ?? 0
  return [...notes.keys()].findLast((size) => size <= index) ?? 0
}

function letterAltered(site: World): ProofVector[] {
  const known = knownOf(site)
  const { plain, changed, first } = sorts(site)
  const right = exportOf(site, changed, 300)
  const other = structuredClone(exportOf(site, plain, 300)) as Json
  const leaf = (proof: Json, at: number) => leavesOf(proof)[at] as Json
  const fieldsAt = (proof: Json, at: number) => listAt(leaf(proof, at), 'fields')
  const field = (proof: Json, name: string) =>
    fieldsAt(proof, 1).find((one) => one.name === name) as Json
  const close = (proof: Json, at: number, name: string) => {
    const fields = fieldsAt(proof, at)
    fields[fields.findIndex((one) => one.name === name)] = { name, hash: '0'.repeat(64) }
  }
  const cases: Case[] = [
    [
      'the creation of another letter',
      'failed',
      (proof) => leavesOf(proof).splice(0, 1, leaf(other, 0)),
    ],
    ['without its edit', 'failed', (proof) => leavesOf(proof).splice(1, 1)],
    ['without its last change', 'proved', (proof) => leavesOf(proof).pop()],
    [
      'of another author',
      'failed',
      (proof) => Object.assign(proof, { author_id: other.author_id }),
    ],
    [
      'of another revelation',
      'failed',
      (proof) => Object.assign(proof, { revelation_id: other.revelation_id }),
    ],
    [
      'with another blinding',
      'failed',
      (proof) => Object.assign(proof, { blinding: other.blinding }),
    ],
    [
      'another text',
      'failed',
      (proof) => Object.assign(field(proof, 'content'), { value: 'Autre.' }),
    ],
    [
      'a text in another normal form',
      'failed',
      (proof) => Object.assign(field(proof, 'content'), { value: 'e\u0301' }),
    ],
    [
      'half a character in a text',
      'failed',
      (proof) => Object.assign(field(proof, 'content'), { value: '\ud83d' }),
    ],
    ['a closed audience', 'failed', (proof) => close(proof, 2, 'audience')],
    ['another hash of a closed field', 'failed', (proof) => close(proof, 0, 'title')],
    [
      'a field twice',
      'failed',
      (proof) => fieldsAt(proof, 1).push(structuredClone(field(proof, 'title'))),
    ],
    ['fields in another order', 'failed', (proof) => fieldsAt(proof, 1).reverse()],
    [
      'a field open and closed',
      'failed',
      (proof) => Object.assign(field(proof, 'title'), { hash: '0'.repeat(64) }),
    ],
    [
      'a title that is none',
      'failed',
      (proof) => Object.assign(field(proof, 'title'), { type: 'none', value: null }),
    ],
    [
      'a change of the title',
      'failed',
      (proof) => Object.assign(leaf(proof, 1), { kind: 'change', version: 1 }),
    ],
    [
      'a withdrawal of format 2',
      'failed',
      (proof) => Object.assign(leaf(proof, 2), { kind: 'delete' }),
    ],
    ['a version 0', 'failed', (proof) => Object.assign(leaf(proof, 0), { version: 0 })],
    ['a number that leaps', 'failed', (proof) => Object.assign(leaf(proof, 2), { version: 3 })],
    [
      'an index without its path',
      'failed',
      (proof) => Object.assign(leaf(proof, 2), { inclusion: null }),
    ],
    [
      'an opening beside format 2',
      'failed',
      (proof) => Object.assign(proof, { opening: openingOf(site, first) }),
    ],
    ['consistency that is null', 'failed', (proof) => Object.assign(proof, { consistency: null })],
    [
      'a checkpoint with half a character',
      'failed',
      (proof) => Object.assign(proof, { checkpoint: `\ud83d${proof.checkpoint}` }),
    ],
    [
      'names that nobody listed',
      'proved',
      (proof) => Object.assign(proof, { more: 1 }, leaf(proof, 0).more),
    ],
  ]
  return cases.map(([name, state, alter]) => {
    const bundle = { name, proof: right, given: { known, now: NOW, files: filesOfLast(changed) } }
    return { ...bundle, state, proof: altered(bundle, alter) }
  })
}

/** What was sealed as one kind and is called another since. */
function relabelled(site: World): ProofVector[] {
  const letter = sorts(site).relabelled
  const right = exportOf(site, letter, 300)
  const [create] = letter.leaves
  const said = (name: string) => {
    const field = letter.leaves.findLast(({ kind }) => kind !== 'change')?.fields[name]
    return field?.type === 'text' || field?.type === 'instant' ? field.value : ''
  }
  const given = { known: knownOf(site), now: NOW, files: filesOfLast(letter) }
  const shownAs = (kind: string | undefined): Given => ({
    ...given,
    page: {
      ...{ revelation_id: letter.id, author_id: letter.authorId },
      ...{ version: letter.leaves.at(-1)?.version ?? 0, sealed_at: create?.sealedAt ?? '' },
      ...{ title: said('title'), reveal_at: said('reveal_at') },
      ...(kind !== undefined && { kind }),
    },
  })
  const kinds = kindsOf(letter.leaves)
  const failing = (name: string, alter: Case[2]) => {
    const bundle = { name, proof: right, given }
    return { ...bundle, state: 'failed' as const, proof: altered(bundle, alter) }
  }
  const kindIn = (proof: Json) =>
    listAt(leavesOf(proof).at(-1) as Json, 'fields').find(({ name }) => name === 'kind') as Json
  return [
    { name: 'sealed as one kind, then as another', proof: right, given, state: 'proved' },
    {
      name: 'a page that shows the kind',
      proof: right,
      given: shownAs(kinds.at(-1)?.kind),
      state: 'proved',
    },
    { name: 'a page that shows no kind', proof: right, given: shownAs(undefined), state: 'proved' },
    {
      name: 'a page that shows the kind of before',
      proof: right,
      given: shownAs(kinds.at(-2)?.kind),
      state: 'failed',
    },
    failing('another kind', (proof) => Object.assign(kindIn(proof), { value: kinds.at(-2)?.kind })),
    failing('a kind that is none', (proof) =>
      Object.assign(kindIn(proof), { type: 'none', value: null }),
    ),
    failing('a closed kind', (proof) => {
      const fields = listAt(leavesOf(proof).at(-1) as Json, 'fields')
      fields[fields.indexOf(kindIn(proof))] = { name: 'kind', hash: '0'.repeat(64) }
    }),
  ]
}

type ShownFiles = NonNullable<NonNullable<Given['page']>['files']>

/** Several files with captions: turned around in the proof, and on the page beside it. */
function albums(site: World): ProofVector[] {
  const known = knownOf(site)
  const { album } = sorts(site)
  const [right, files] = [exportOf(site, album, 300) as ProofV2, filesOf(album)]
  const sealed = listAt(leavesOf(right as Json)[0], 'fields').find(
    ({ name }) => name === 'files',
  ) as Json
  const named = listAt(sealed, 'value') as unknown as { sha256: string; label: string }[]
  const given = { known, now: NOW, files }
  const turned: [string, (list: typeof named) => typeof named][] = [
    ['files in another order', (list) => list.toReversed()],
    [
      'captions in another order',
      (list) => list.map((file, at) => ({ ...file, label: list.at(-1 - at)?.label ?? '' })),
    ],
    [
      'a caption that was added',
      ([first, ...more]) => [{ ...first, label: 'Autre' }, ...more] as never,
    ],
    ['a file too few', (list) => list.slice(1)],
  ]
  const altering = turned.map(([name, turn]) => ({
    ...{ name, state: 'failed' as const, given },
    proof: altered({ name, proof: right, given }, (proof) => {
      const field = listAt(leavesOf(proof)[0], 'fields').find((one) => one.name === 'files') as Json
      field.value = turn(structuredClone(named)) as unknown as Json
    }),
  }))
  const beside = (name: string, shown: ShownFiles, state: State = 'failed') => ({
    ...{ name: `a page with ${name}`, proof: right, state },
    given: { ...given, page: { ...pageOf(right), files: shown } },
  })
  const labels = named.map(({ label }) => ({ label }))
  return [
    ...altering,
    beside('its files, which were read', named, 'proved'),
    beside('its files, of which none was read', labels, 'proved'),
    ...turned.map(([name, turn]) => beside(name, turn(structuredClone(named)))),
    beside('no file', []),
  ]
}

function pageOf({ revelation_id, author_id, leaves: [first] }: ProofV2) {
  const value = (name: string) => {
    const field = first?.format === 2 ? first.fields.find((one) => one.name === name) : undefined
    return field && 'value' in field ? String(field.value) : ''
  }
  return {
    ...{ revelation_id, author_id, version: 1, sealed_at: first?.sealed_at ?? '' },
    ...{ title: value('title'), reveal_at: value('reveal_at') },
  }
}

function openingOf(site: World, letter: Sealed): unknown {
  const { author_id: _, ...opening } = (exportOf(site, letter, 100) as { opening: Json }).opening
  return opening
}
