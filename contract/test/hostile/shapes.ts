import type { Bundle } from './corpus.ts'
import {
  altered,
  type Json,
  leavesOf,
  listAt,
  type Mutation,
  oneOfNames,
  type Random,
} from './random.ts'

type Place = { holder: Record<string, unknown> | unknown[]; name: string; value: unknown }

/** Every value of a proof with where it stands. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    { holder: value as Json, name, value: inner },
    ...placesIn(inner),
  ])
}

type Reshape = (place: Place, random: Random) => void

/** What is no proof, or one in another spelling. */
export function reshape(bundle: Bundle, random: Random): Mutation {
  const [way, shape] = oneOfNames({ ...VALUES, ...WHOLES }, random)
  if (way === 'no object') return { name: `shape: ${way}`, proof: noObject(bundle.proof, random) }
  return { name: `shape: ${way}`, proof: altered(bundle, (copy) => shape(copy, random)) }
}

function noObject(proof: unknown, random: Random): unknown {
  const texts = ['proof', JSON.stringify(proof)]
  return random.oneOf([null, 0, true, [], [proof], {}, { format: 2 }, ...texts])
}

type Whole = (proof: Json, random: Random) => void

/** Of any value in it. */
function ofAny(reshapes: Record<string, Reshape>): Record<string, Whole> {
  return Object.fromEntries(
    Object.entries(reshapes).map(([way, reshape]) => [
      way,
      (proof: Json, random: Random) => reshape(random.oneOf(placesIn(proof)), random),
    ]),
  )
}

function put({ holder, name }: Place, value: unknown): void {
  // As JSON.parse does it: `__proto__` is a name like others.
  Object.defineProperty(holder, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

const VALUES = ofAny({
  'a bit': (place, random) => {
    const text = String(place.value)
    const at = random.below(text.length)
    const code = text.charCodeAt(at) ^ (1 << random.below(7))
    put(place, `${text.slice(0, at)}${String.fromCharCode(code)}${text.slice(at + 1)}`)
  },
  'another type': (place, random) => {
    const values = [
      null,
      true,
      false,
      0,
      1,
      -1,
      '',
      '0',
      [],
      {},
      [place.value],
      { value: place.value },
    ]
    put(place, random.oneOf(values))
  },
  gone: ({ holder, name }) => {
    if (Array.isArray(holder)) holder.splice(Number(name), 1)
    else delete holder[name]
  },
  'a number': (place, random) => {
    const numbers = [-0, -1, 0.5, 2, 1e21, 2 ** 53, 2 ** 53 - 1, 1e308, Number.MIN_VALUE, 1000]
    put(place, random.oneOf(numbers))
  },
  'a number more': (place) => {
    if (typeof place.value === 'number') put(place, place.value + 1)
  },
  'half a character': (place, random) => {
    if (typeof place.value === 'string')
      put(place, `${place.value}${random.oneOf(['\ud83d', '\udc00'])}`)
  },
  'another normal form': (place, random) => {
    if (typeof place.value === 'string')
      put(place, place.value.normalize(random.oneOf(['NFD', 'NFKC', 'NFKD'])))
  },
  capitals: (place) => {
    if (typeof place.value === 'string') put(place, place.value.toUpperCase())
  },
  'white space': (place, random) => {
    const space = random.oneOf([' ', '\n', '\u00a0', '\ufeff', '\u0000', '\r', '\u200b'])
    if (typeof place.value === 'string')
      put(place, random.oneOf([`${space}${place.value}`, `${place.value}${space}`]))
  },
  'text cut': (place, random) => {
    if (typeof place.value === 'string')
      put(place, place.value.slice(0, random.below(place.value.length)))
  },
  'a long text': (place, random) => {
    if (typeof place.value === 'string')
      put(place, 'a'.repeat(random.below(8) === 0 ? 10_000_000 : 100_000))
  },
  'a long list': (place, random) => {
    if (Array.isArray(place.value))
      put(
        place,
        Array.from({ length: random.oneOf([65, 1001]) }, () => (place.value as unknown[])[0]),
      )
  },
  'a name more': (place, random) => {
    const name = random.oneOf([
      '__proto__',
      'constructor',
      'toString',
      'hash',
      'salt',
      'value',
      'format',
      'fields',
      'more',
    ])
    const value = random.oneOf([null, 0, 'x', {}, { name: 'title' }])
    const inner = place.value as Json | null
    const holder = typeof inner === 'object' && inner ? inner : place.holder
    // Lists of JSON have no names.
    if (!Array.isArray(holder)) put({ holder, name, value: undefined }, value)
  },
  'another name': ({ holder, name, value }) => {
    if (Array.isArray(holder)) return
    delete holder[name]
    put({ holder, name: `${name}_`, value }, value)
  },
  'deep lists': (place) => {
    let value: unknown = []
    for (let depth = 0; depth < 2_000; depth += 1) value = [value]
    put(place, value)
  },
})

function aField(proof: Json, random: Random): { fields: Json[]; at: number; field: Json } {
  const fields = listAt(random.oneOf(leavesOf(proof)), 'fields')
  const at = random.below(fields.length)
  return { fields, at, field: fields[at] ?? {} }
}

const WHOLES: Record<string, Whole> = {
  'no object': () => {},
  'another format': (proof, random) => {
    proof.format = random.oneOf([
      'revelations.app/proof/v1',
      'revelations.app/proof/v2',
      'revelations.app/proof/v3',
    ])
  },
  'another format of a leaf': (proof, random) => {
    random.oneOf(leavesOf(proof)).format = random.oneOf([1, 2, 3, '2'])
  },
  'a field twice': (proof, random) => {
    const { fields, at, field } = aField(proof, random)
    fields.splice(at, 0, structuredClone(field))
  },
  'fields in another order': (proof, random) => {
    const { fields, at } = aField(proof, random)
    fields.push(...fields.splice(at, 1))
  },
  'a field under another name': (proof, random) => {
    const names = [
      'audience',
      'kind',
      'title',
      'Title',
      'a'.repeat(41),
      '',
      '_x',
      'zz',
      '0',
      'content',
      '__proto__',
    ]
    aField(proof, random).field.name = random.oneOf(names)
  },
  'a field of another type': (proof, random) => {
    const { field } = aField(proof, random)
    field.type = random.oneOf(['none', 'text', 'instant', 'files', 'number', 'toString', ''])
    if (random.below(2) === 0)
      field.value = random.oneOf([null, '', '2027-01-01T00:00:00.000Z', []])
  },
  'a field more': (proof, random) => {
    const { fields } = aField(proof, random)
    const name = random.oneOf(['zzz', 'aaa', 'b', 'public'])
    fields.push(
      random.oneOf<Json>([
        { name, hash: '0'.repeat(64) },
        { name, salt: '0'.repeat(64), type: 'none', value: null },
      ]),
    )
    fields.sort((one, other) => (String(one.name) < String(other.name) ? -1 : 1))
  },
  'a field open and closed': (proof, random) => {
    aField(proof, random).field.hash = '0'.repeat(64)
  },
  'files in another order': (proof, random) => {
    const { field } = aField(proof, random)
    if (Array.isArray(field.value)) field.value.reverse()
  },
  'another label': (proof, random) => {
    const { field } = aField(proof, random)
    if (Array.isArray(field.value)) for (const file of field.value) file.label = `${file.label}.`
  },
  'another kind': (proof, random) => {
    random.oneOf(leavesOf(proof)).kind = random.oneOf(['create', 'edit', 'change', 'delete'])
  },
  'another version': (proof, random) => {
    random.oneOf(leavesOf(proof)).version = random.below(4)
  },
  'consistency that is none': (proof, random) => {
    proof.consistency = random.oneOf([
      null,
      [],
      {},
      [{ from: 0, hashes: [] }],
      [{ from: -1, hashes: [] }],
      [{ from: 7 }],
      [{ from: 7, hashes: ['x'] }],
    ])
  },
  'an opening that is none': (proof, random) => {
    proof.opening = random.oneOf([null, {}, [], 'x', { title: 'x' }])
  },
}
