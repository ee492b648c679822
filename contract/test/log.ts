import { sha256 } from '@noble/hashes/sha2.js'
import { type Bytes, base64Of, hexOf, utf8 } from '../src/proofs/bytes.ts'
import {
  type CheckpointDate,
  formatLogKey,
  logKeyOf,
  signCheckpoint,
} from '../src/proofs/checkpoint.ts'
import { type CommittedFacts, commitmentOf, leafOf } from '../src/proofs/commitment.ts'
import { PROOF_FORMAT, type Proof } from '../src/proofs/proof.ts'
import { publicKeyOf } from '../src/proofs/signature.ts'
import { hashLeaf, hashNode } from '../src/proofs/tree.ts'
import {
  consistencyRanges,
  hashRange,
  inclusionRanges,
  type Range,
  wholeTree,
} from '../src/proofs/tree-paths.ts'

/** A log in memory that keeps the hash of every complete subtree. */
export class TestLog {
  readonly levels: Bytes[][] = [[]]
  private readonly notes = new Map<string, string>()
  readonly origin: string
  readonly seed: Bytes
  readonly key: string

  constructor(origin = 'revelations.example/log', seed: Bytes = sha256(utf8('a log for tests'))) {
    this.origin = origin
    this.seed = seed
    this.key = formatLogKey(logKeyOf(origin, publicKeyOf(seed)))
  }

  get size(): number {
    return this.levels[0]?.length ?? 0
  }

  append(data: Bytes): number {
    let hash = hashLeaf(data)
    for (let level = 0; ; level += 1) {
      const hashes = this.levels[level] ?? []
      this.levels[level] = hashes
      hashes.push(hash)
      if (hashes.length % 2 === 1) return this.size - 1
      hash = hashNode(hashes.at(-2) as Bytes, hash)
    }
  }

  hashOf(range: Range): Bytes {
    return hashRange(range, ({ level, index }) => this.levels[level]?.[index] as Bytes)
  }

  root(size = this.size): Bytes {
    return this.hashOf(wholeTree(size))
  }

  inclusion(index: number, size = this.size): Bytes[] {
    return inclusionRanges(index, size).map((range) => this.hashOf(range))
  }

  consistency(from: number, to = this.size): Bytes[] {
    return consistencyRanges(from, to).map((range) => this.hashOf(range))
  }

  /** Undated ones are those of before format 2. */
  checkpoint(size = this.size, dated?: CheckpointDate): string {
    const root = this.root(size)
    const name = `${size} ${hexOf(root)} ${dated?.signedAt} ${dated?.v2From}`
    const note =
      this.notes.get(name) ?? signCheckpoint(this.seed, { origin: this.origin, size, root, dated })
    this.notes.set(name, note)
    return note
  }
}

export interface Item {
  facts: CommittedFacts
  salt: Bytes
  kind: 'create' | 'edit'
  version: number
  sealedAt: string
}

export function commitmentIn({ salt, facts }: Item): Bytes {
  return commitmentOf(salt, facts)
}

export function leafIn(item: Item): Bytes {
  const { kind, version, sealedAt } = item
  return leafOf({ kind, version, commitment: commitmentIn(item), sealedAt })
}

/** The proof of an item that was created and never edited. */
export function proofOf(log: TestLog, item: Item, index: number, size = log.size): Proof {
  const { facts, salt } = item
  return {
    format: PROOF_FORMAT,
    revelation_id: facts.id,
    key: log.key,
    checkpoint: log.checkpoint(size),
    versions: [
      {
        version: item.version,
        kind: item.kind,
        sealed_at: item.sealedAt,
        commitment: hexOf(commitmentIn(item)),
        leaf: index,
        inclusion: log.inclusion(index, size).map(base64Of),
      },
    ],
    opening: {
      author_id: facts.authorId,
      title: facts.title,
      content: facts.content,
      reveal_date: facts.revealAt,
      salt: hexOf(salt),
      file_sha256: facts.fileSha256 ? hexOf(facts.fileSha256) : null,
    },
  }
}

/** Bytes that are the same in every run. */
export function bytesFor(name: string): Bytes {
  return sha256(utf8(name))
}

function uuidFor(name: string): string {
  const hex = hexOf(bytesFor(name))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The n-th of a series of items, every third with a file. */
export function itemOf(number: number): Item {
  const name = `item ${number}`
  return {
    salt: bytesFor(`salt of ${name}`),
    kind: 'create',
    version: 1,
    sealedAt: new Date(Date.UTC(2026, 10, 22) + number * 61_001).toISOString(),
    facts: {
      id: uuidFor(name),
      authorId: uuidFor(`author ${number % 7}`),
      title: `Prédiction n° ${number}`,
      content: `Je parie que l’élan n° ${number} arrivera premier.\nNuméro ${number * 17} !`,
      revealAt: new Date(Date.UTC(2027, 0, 1 + (number % 365))).toISOString(),
      fileSha256: number % 3 === 0 ? bytesFor(`file of ${name}`) : undefined,
    },
  }
}

export function logOfItems(count: number): TestLog {
  const log = new TestLog()
  for (let number = 0; number < count; number += 1) log.append(leafIn(itemOf(number)))
  return log
}

/** The same log with one leaf changed, signed with the same key: what a log that rewrites its past would be. */
export function forkOf(changed: number, size: number): TestLog {
  const log = new TestLog()
  for (let number = 0; number < size; number += 1) {
    log.append(number === changed ? bytesFor('what was slipped in') : leafIn(itemOf(number)))
  }
  return log
}
