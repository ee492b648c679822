import { createHash } from 'node:crypto'
import { FILE_TYPES } from '#contract/revelations.ts'
import { commitmentOf } from '#server/platform/sealing/commitment.ts'
import { jsonOf } from './requests.ts'
import { lockedFile } from './samples.ts'
import { GUESSED_TEXTS } from './secrets.ts'
import { Difference, type Item, pathOf, type Story, sendBoth } from './story.ts'
import type { World } from './worlds.ts'

/** The author finds each item as it was left, or gone, whatever others tried. */
export async function requireUntouched(story: Story): Promise<void> {
  for (const item of story.items) await requireUntouchedItem(story, item)
}

async function requireUntouchedItem(story: Story, item: Item): Promise<void> {
  const seen = await sendBoth(story, { by: item.by, item }, ({ name }) => ({
    method: 'GET',
    path: pathOf(item, name),
  }))
  for (const name of ['A', 'B'] as const) {
    const { revelation } = jsonOf(seen[name])
    if (item.isGone !== (revelation === undefined)) {
      throw new Difference(`${pathOf(item, name)} answers ${seen[name].status} to its author`)
    }
    for (const [field, value] of Object.entries(item.isGone ? {} : item.truth[name])) {
      if (revelation[field] === value) continue
      throw new Difference(`${field} became « ${revelation[field]} » instead of « ${value} »`)
    }
  }
}

/** By the beginning of a digest: what it is a digest of. */
type Guesses = Map<string, string>

const COMPARED_CHARACTERS = 22

/** No masked value is a hash of what an outsider may guess, alone or with what the envelope says. */
export async function requireUnguessable(story: Story): Promise<void> {
  for (const name of ['A', 'B'] as const) await guessIn(story, story.worlds[name])
}

async function guessIn(story: Story, world: World): Promise<void> {
  const guesses: Guesses = new Map(await guessesOfBytes())
  const seen = story.forms[world.name].masked()
  for (const item of story.items) {
    for (const text of GUESSED_TEXTS) guessWithEnvelope(guesses, world, item, text)
    await guessWithSalts(guesses, world, item, seen)
  }
  for (const masked of seen) {
    const found = guesses.get(masked.replaceAll('"', '').slice(0, COMPARED_CHARACTERS))
    if (found) throw new Difference(`${masked} can be guessed: ${found}`)
  }
}

function keepDigest(guesses: Guesses, digest: Buffer, what: string): void {
  for (const encoding of ['hex', 'base64url'] as const) {
    guesses.set(digest.toString(encoding).slice(0, COMPARED_CHARACTERS), what)
  }
}

function guess(guesses: Guesses, bytes: string | Buffer, what: string): void {
  for (const algorithm of ['sha256', 'sha1', 'md5', 'sha512']) {
    keepDigest(guesses, createHash(algorithm).update(bytes).digest(), `${algorithm} of ${what}`)
  }
}

let bytesGuessed: Promise<Guesses> | undefined

function guessesOfBytes(): Promise<Guesses> {
  bytesGuessed ??= (async () => {
    const guesses: Guesses = new Map()
    for (const text of GUESSED_TEXTS) guess(guesses, text, `« ${text} »`)
    for (const kind of FILE_TYPES) {
      for (const pick of [0, 1]) {
        for (const world of ['A', 'B'] as const) {
          guess(guesses, (await lockedFile(world, kind, pick)).bytes, `the ${kind} of ${world}`)
        }
      }
    }
    return guesses
  })()
  return bytesGuessed
}

function guessWithEnvelope(guesses: Guesses, world: World, item: Item, text: string): void {
  const id = item.ids[world.name]
  const authorId = world.people[item.by].id
  const { title } = item.truth[world.name]
  const what = `« ${text} » and what is seen`
  for (const seen of [id, title, authorId]) {
    for (const between of ['', ':', '|', '\n']) {
      guess(guesses, seen + between + text, what)
      guess(guesses, text + between + seen, what)
    }
  }
}

const A_SALT = /^[0-9a-f]{64}$/

/** Our own commitment, its salt left out or among what was seen: then a letter is found by trying. */
async function guessWithSalts(
  guesses: Guesses,
  { name, people }: World,
  item: Item,
  seen: readonly string[],
): Promise<void> {
  const { title, reveal_date } = item.truth[name]
  const id = item.ids[name]
  const facts = { id, authorId: people[item.by].id, title, revealAt: new Date(reveal_date) }
  const told = seen.filter((masked) => A_SALT.test(masked)).map((hex) => Buffer.from(hex, 'hex'))
  const salts = [Buffer.alloc(0), Buffer.alloc(32), Buffer.from(id), ...told]
  const kind = item.file?.kind
  const bytes = kind && (await lockedFile(name, kind, 0)).bytes
  const fileSha256 = bytes && createHash('sha256').update(bytes).digest()
  for (const content of GUESSED_TEXTS) {
    for (const salt of salts) {
      const commitment = commitmentOf(salt, { ...facts, content, fileSha256 })
      keepDigest(guesses, commitment, `a commitment to « ${content} » without a secret salt`)
    }
  }
}
