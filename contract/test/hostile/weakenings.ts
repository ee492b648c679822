/** One thing that a verifier could forget. `from` stands exactly once in the file of contract/src/proofs. */
export interface Weakening {
  name: string
  file: string
  from: string
  to: string
}

export const WEAKENINGS: readonly Weakening[] = [
  ...inVerify([
    ['any key is known', 'if (key === known.key)', "if (key !== '')"],
    [
      'the origin is compared instead of the key',
      'if (key === known.key)',
      'if (parseLogKey(key)?.name === known.origin)',
    ],
    [
      'a former key signs for ever',
      "if (checkpoint.size > former.size) return step('key', 'failed', 'former key used later', detail)",
      "if (checkpoint.size > former.size) return step('key', 'passed', 'former key', detail)",
    ],
    [
      'a former key signs any root',
      'return isSameBytes(checkpoint.root, former.root)',
      'return former.root.length > 0',
    ],
    ['a mail vouches for a former key', "one.held.source !== 'mailed' &&", ''],
    [
      'a former key is believed below its size',
      'const isLinked = held.some(',
      'const isLinked = held.length === 0 || held.some(',
    ],
    ['inclusion of the last leaf alone', 'of logged.entries()', 'of logged.slice(-1).entries()'],
    [
      'a leaf that waits is taken for included',
      "if (logged.length < leaves.length) return step('inclusion', 'later', 'pending')",
      '',
    ],
    [
      'leaves of format 2 below where they begin',
      '(format === 2) === (index as number) >= dated.v2From',
      'format === 2 || (index as number) < dated.v2From',
    ],
    [
      'an undated checkpoint of a log that is dated',
      'held.every(({ checkpoint: one }) => !one.dated || size <= one.dated.v2From)',
      'held.length >= 0',
    ],
    ['indexes that fall', 'before.index < leaf.index', 'before.index !== leaf.index'],
    [
      'dates that fall',
      'return isNext && isLater && before.sealedAt <= leaf.sealedAt',
      'return isNext && isLater',
    ],
    ['numbers that leap', 'leaf.version === number', 'leaf.version >= number'],
    [
      'a closed field is taken for open',
      'if (last.closed.length === 0)',
      'if (last.closed.length >= 0)',
    ],
    [
      'a closed text is taken for open',
      "if (last.closed.includes('content'))",
      "if (last.closed.includes('content')) return step('letter', 'passed', 'opened')\n  if (last.closed.includes('content'))",
    ],
    ['another file is taken for none', 'if (isOnlyProof && ', 'if (!isOnlyProof && '],
    ['one file stands for all', 'if (missing === 0)', 'if (missing < expected.length)'],
    [
      'earlier versions of format 1 are told',
      'const facts = isAsserted ? { ...said, versions: said.versions.slice(-1) } : said',
      'const facts = said',
    ],
    ['a page says any audience', 'shown.audience === logged.value &&', ''],
    [
      'kept checkpoints count under any key',
      '...checkDates(read, checkpoint, isKnown ? held : [], context.now)',
      '...checkDates(read, checkpoint, held, context.now)',
    ],
  ]),
  ...inFile('checkpoint.ts', [
    [
      'nobody looks at the signature',
      'return isSignature(bytes.subarray(KEY_ID_SIZE), utf8(text), publicKey)',
      'return publicKey.length > 0',
    ],
    [
      'the origin of a note is another',
      'checkpoint?.origin !== key.name',
      'checkpoint === undefined',
    ],
    [
      'one signature is enough',
      'const isSigned = keys.every((key) =>',
      'const isSigned = keys.some((key) =>',
    ],
    [
      'what opened is remembered without its key',
      'JSON.stringify([key, note])',
      'JSON.stringify([note])',
    ],
    ['dates below others', 'dateIn(more) === undefined', 'more.length >= 0'],
    [
      'half of the dates is none',
      "return isRight ? { signedAt, v2From } : 'wrong'",
      'return isRight ? { signedAt, v2From } : undefined',
    ],
    [
      'the id of a key is another',
      'return formatLogKey(key) === text ? key : undefined',
      'return key',
    ],
    ['lines end as elsewhere', 'CONTROL.test(note) || ', ''],
  ]),
  ...inFile('tree.ts', [['an index beyond the tree', 'if (index >= size) return false', '']]),
  ...inFile('read-proof.ts', [
    [
      'leaves are not bound to those before',
      'if (!isFirst) return before.at(-1)?.hash ?? new Uint8Array()',
      'if (!isFirst) return new Uint8Array()',
    ],
    [
      'an identity without author',
      'identityOf(bytes(proof.blinding), id, authorId)',
      'identityOf(bytes(proof.blinding), id, id)',
    ],
    [
      'an identity without blinding',
      'identityOf(bytes(proof.blinding), id, authorId)',
      "identityOf(bytes(''), id, authorId)",
    ],
    [
      'names in any order',
      'names.every((name, at) => at === 0 || (names[at - 1] as string) < name)',
      'names.length > 0',
    ],
    ['a closed audience or kind', 'areTyped && areTold', 'areTyped'],
    ['fields of any type', 'isComplete && areTyped', 'isComplete'],
    [
      'a change of the text',
      '!ofLetter.some((name) => names.includes(name))',
      'ofLetter.length > 0',
    ],
    ['an opening beside leaves of format 2', '|| (said.format === 2 && opening !== null)', ''],
  ]),
  ...inFile('proof.ts', [
    [
      'text in any normal form',
      "text.isWellFormed() && text.normalize('NFC') === text",
      'text.isWellFormed()',
    ],
    [
      'half characters',
      "text.isWellFormed() && text.normalize('NFC') === text",
      "text.normalize('NFC') === text",
    ],
  ]),
  ...inFile('proof.ts', [['base64 in any spelling', '[AEIMQUYcgkosw048]=$', '[A-Za-z0-9+/]=$']]),
  ...inFile('dates.ts', [
    [
      'dates before a checkpoint that does not hold them',
      "return Date.parse(sealedAt) < Date.parse(signedAt) - UNDER_WAY_MS ? 'dated too early' : undefined",
      'return undefined',
    ],
    [
      'dates after a checkpoint that holds them',
      "if (index < size) return sealedAt > signedAt ? 'dated too late' : undefined",
      'if (index < size) return undefined',
    ],
    [
      'a clock that is behind',
      'now.getTime() < Date.parse(latest) - CLOCK_MS',
      'now.getTime() < 0',
    ],
  ]),
  ...inFile('continuity.ts', [
    [
      'no answer is a right one',
      "if (!consistency) return { state: 'later' }",
      "if (!consistency) return { state: 'passed' }",
    ],
    [
      'roots of one size differ',
      'earlier.size === later.size && !isSameBytes(earlier.root, later.root)',
      'earlier.size < 0',
    ],
    [
      'a log that shrinks',
      'earlier.dated && later.dated && earlier.dated.signedAt > later.dated.signedAt',
      'earlier.size < 0',
    ],
    [
      'format 2 from elsewhere',
      'one.dated && other.dated && one.dated.v2From !== other.dated.v2From',
      'one.size < 0',
    ],
    ['an answer that does not hold', 'path && verifyConsistency(earlier, later, path)', 'path'],
    ['kept ones quarrel', 'if (quarrel)', 'if (quarrel && held.length === 0)'],
    ['an emptied log', 'if (isEmpty && kept.length > 0)', 'if (isEmpty && kept.length > 99)'],
    ['checkpoints that anybody signed', 'keys.includes(one.key)', 'one.key'],
    [
      'a proof that brings anything',
      "compareCheckpoints(checkpoint, found, hashes).state === 'passed'",
      'hashes.length > 0',
    ],
  ]),
  ...inFile('known-log.ts', [
    [
      'a statement that the former key did not sign',
      'openNote(note, [key, last])',
      'openNote(note, [key])',
    ],
    [
      'a statement that the new key did not sign',
      'openNote(note, [key, last])',
      'openNote(note, [last])',
    ],
    ['a key twice in a statement', 'if (keys.size !== former.length + 1) return false', ''],
    ['sizes that fall in a statement', 'before.size <= one.size && isSame && ', ''],
    ['lines that are none in a statement', '|| former.length !== lines.length ', ''],
  ]),
  ...inFile('facts.ts', [
    [
      'publication at once is not told',
      'isImmediate: revealAt !== undefined && last.sealedAt >= revealAt,',
      'isImmediate: false,',
    ],
    ['kept before it was sealed', 'one.checkpoint.size > index &&', ''],
    ['kept by another log', "compareHeld(one, checkpoint, proof).state === 'passed'", 'true'],
    ['public since it was said again', '&& value !== named.at(-1)?.value', ''],
    [
      'public from the beginning',
      'publicSince !== null && audiences.length === 1',
      'publicSince !== null',
    ],
  ]),
]

type Change = readonly [name: string, from: string, to: string]

function inFile(file: string, changes: readonly Change[]): Weakening[] {
  return changes.map(([name, from, to]) => ({ name, file, from, to }))
}

function inVerify(changes: readonly Change[]): Weakening[] {
  return inFile('verify.ts', changes)
}
