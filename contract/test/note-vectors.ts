import { base64Of, hexOf } from '../src/proofs/bytes.ts'
import { parseLogKey, signNote } from '../src/proofs/checkpoint.ts'
import {
  type FormerKey,
  knownLogOf,
  leadsTo,
  openLogKeys,
  signLogKeys,
} from '../src/proofs/known-log.ts'
import { bytesFor, TestLog } from './log.ts'

const DATED = { signedAt: '2026-11-27T10:12:33.123Z', v2From: 7 }

/** Checkpoints that say when they were signed, and those that say it otherwise. */
export function makeDatedCheckpoints(log: TestLog) {
  const { key, seed, origin, size } = log
  const opened = { origin, size, root: hexOf(log.root()), is_valid: true }
  const text = `${origin}\n${size}\n${base64Of(log.root())}\n`
  const [date, from] = [`signed_at ${DATED.signedAt}\n`, `v2_from ${DATED.v2From}\n`]
  const dated = { signed_at: DATED.signedAt, v2_from: DATED.v2From }
  const signed = (lines: string) => ({ key, note: signNote(`${text}${lines}`, origin, [seed]) })
  const wrong = [
    date,
    from,
    `${from}${date}`,
    `${date}${date}${from}`,
    `${date}${from}${from}`,
    `more\n${date}${from}`,
    `${date}more\n${from}`,
    `${date}${from}${date}${from}`,
    `signed_at 2026-11-27T10:12:33Z\n${from}`,
    `signed_at 2026-11-31T10:12:33.123Z\n${from}`,
    `${date}v2_from 07\n`,
    `${date}v2_from \n`,
    `${date}v2_from  7\n`,
    `${date}v2_from 9007199254740992\n`,
  ]
  return [
    { ...signed(`${date}${from}`), ...opened, ...dated },
    { ...signed(`${date}${from}a further line\n`), ...opened, ...dated },
    { ...signed('signed_at\nv2_from\n'), ...opened },
    ...wrong.map((lines) => ({ ...signed(lines), is_valid: false })),
    { key, note: signNote(respelt(text), origin, [seed]), is_valid: false },
    { key, note: respelt(signNote(text, origin, [seed])), is_valid: false },
  ]
}

/** With other bits where they mean nothing, in the last base64 of a text. */
function respelt(text: string): string {
  return text.replace(/(.)=\n$/, (_, digit) => `${String.fromCharCode(digit.charCodeAt(0) + 1)}=\n`)
}

/** What a new key says of those before it, and what must be refused. */
export function makeStatements() {
  const origin = 'revelations.example/log'
  const seeds = [1, 2, 3, 4].map((number) => bytesFor(`key ${number} of a log`))
  const [first, second, third, stranger] = seeds.map((seed) => new TestLog(origin, seed))
  if (!first || !second || !third || !stranger) throw new Error('A key is missing')
  const root = base64Of(bytesFor('a root'))
  const line = ({ key }: TestLog, size: number, at: string, of = root) =>
    `former ${key} ${size} ${of} ${at}\n`
  const [one, two] = ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']
  const head = `revelations.app/log-keys/v1\n${origin}\nnew ${third.key}\n`
  const [early, late] = [line(first, 100, one), line(second, 200, two)]
  const note = (text: string, signers = [third, second]) =>
    signNote(
      text,
      origin,
      signers.map(({ seed }) => seed),
    )
  const right = [
    note(`${head}${line(second, 200, two)}`),
    note(`${head}${early}${late}`),
    note(`${head}${early}${late}`, [second, third]),
    note(`${head}${early}${late}`, [stranger, third, second]),
    note(`${head}${line(first, 200, two)}${late}`),
  ]
  const wrong = [
    note(`${head}${early}${late}`, [third]),
    note(`${head}${early}${late}`, [second]),
    note(`${head}${early}${late}`, [third, first]),
    note(head, [third, second]),
    note(`${head}${late}${line(first, 100, two)}`, [third, first]),
    note(`${head}${line(first, 100, two)}${line(second, 200, one)}`),
    note(`${head}${line(first, 200, one, base64Of(bytesFor('another root')))}${late}`),
    note(`${head}${early}${line(first, 200, two)}`, [third, first]),
    note(`${head}${early}${line(third, 200, two)}`, [third]),
    note(`${head}${early}${late}more\n`),
    note(`${head}${early}${late.replace('former ', 'former  ')}`),
    note(`${head}${early}${late.replace(' 200 ', ' 0200 ')}`),
    note(`${head}${early}${late.replace('.000Z', 'Z')}`),
    note(`${head}${early}${late.replace('=', '')}`),
    note(`${head.replace('new ', 'now ')}${late}`),
    note(`${head.replace(third.key, stranger.key)}${late}`),
    note(`${head.replace('/v1\n', '/v2\n')}${late}`),
    note(`${head.replace(`\n${origin}\n`, '\nelsewhere.example/log\n')}${late}`),
    note(`${head}${line(new TestLog('elsewhere.example/log', second.seed), 200, two)}`),
  ]
  const logKey = parseLogKey(third.key)
  return [...right, ...wrong].map((statement) => {
    const former = logKey && openLogKeys(statement, logKey)
    const said = { key: third.key, note: statement, is_valid: right.includes(statement) }
    return { ...said, ...(former && { former: former.map(toldOf) }) }
  })
}

function toldOf({ key, size, root, replacedAt }: FormerKey) {
  return { key, size, root: base64Of(root), until: replacedAt }
}

/** From which keys the statements of a log lead to its key of today. */
export function makeChains() {
  const origin = 'revelations.example/log'
  const seeds = [1, 2, 3, 4].map((number) => bytesFor(`key ${number} of a log`))
  const [first, second, third, stranger] = seeds.map((seed) => new TestLog(origin, seed))
  if (!first || !second || !third || !stranger) throw new Error('A key is missing')
  const formerOf = ({ key }: TestLog, size: number): FormerKey => ({
    ...{ key, size, root: bytesFor('a root'), replacedAt: '2026-12-01T00:00:00.000Z' },
  })
  const by = (next: TestLog, last: TestLog, former: readonly FormerKey[]) =>
    signLogKeys({ next: next.seed, last: last.seed }, { origin, former })
  const [one, two] = [formerOf(first, 100), formerOf(second, 200)]
  const early = by(second, first, [one])
  const statement = by(third, second, [one, two])
  const chains: [name: string, pinned: TestLog, statements: string[], isLinked: boolean][] = [
    ['the key of today', third, [], true],
    ['the last former key', second, [statement], true],
    ['the key before it', first, [early, statement], true],
    ['the key before it, the statements in another order', first, [statement, early], true],
    ['a statement is missing', first, [statement], false],
    [
      'a key that did not sign the next one',
      first,
      [by(second, stranger, [one]), statement],
      false,
    ],
    [
      'statements that tell the past in two ways',
      first,
      [by(second, first, [formerOf(first, 99)]), statement],
      false,
    ],
    ['a key that no statement names', stranger, [early, statement], false],
  ]
  const known = knownLogOf(third.key, statement)
  return chains.map(([name, pinned, statements, is_linked]) => {
    if (!known || leadsTo(pinned.key, known, statements) !== is_linked)
      throw new Error(`The chain « ${name} » leads elsewhere`)
    return { name, pinned: pinned.key, key: third.key, statement, statements, is_linked }
  })
}
