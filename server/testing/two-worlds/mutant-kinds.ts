import { AsyncLocalStorage } from 'node:async_hooks'
import type { KyselyPlugin } from 'kysely'
import type { Kind } from '#contract/kinds.ts'
import type { Stationery } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { findEnvelope, selectEnvelopes } from '#server/features/access/envelopes.repository.ts'
import { albumOf, type LetterFiles } from '#server/features/access/envelopes.rules.ts'
import { grantAuthor, grantOwnReplies } from '#server/features/access/grants.service.ts'
import {
  type MediaFacts,
  openFacts,
  openKeyForWork,
} from '#server/features/media/file-keys.service.ts'
import { findMedia } from '#server/features/media/media.repository.ts'
import { getOwnNotes } from '#server/features/notes/notes.service.ts'
import { listRepliesTo } from '#server/features/replies/replies.repository.ts'
import { openReplies, type ReplyWords } from '#server/features/replies/reply-contents.service.ts'
import { openCommitted, openTexts } from '#server/features/revelations/letters.service.ts'
import type { Email } from '#server/platform/mail/mail.ts'
import {
  type LetterVersion,
  mergeRights,
  type ReadingRight,
} from '#server/platform/sealing/reading-right.ts'
import type { PageEvent } from '#testing/event-page.ts'
import { type Call, jsonOf, type Seen } from './calls.ts'
import type { World } from './worlds.ts'

/** A leak to plant in a server under test; the function that `plant` answers removes it. */
export interface Mutant {
  name: string
  plant(world: World): () => void
}

/** A sealed letter, with what only its author may see. */
export interface Peek {
  id: string
  authorId: string
  kind: Kind
  title: string
  content: string
  revealAt: Date
  fileName: string | null
  fileSize: number | null
  fileCount: number
  captions: readonly (string | null)[]
  voiceWords: string | null
  stationery: Stationery | undefined
  fileWords: string | null
  openingNote: string | null
}

/** The letters that are sealed now, by id. */
export async function peek({ server }: World): Promise<Map<string, Peek>> {
  const { ctx } = server
  const envelopes = await selectEnvelopes(ctx.db)
    .where('revelations.revealAt', '>', ctx.now())
    .execute()
  const texts = await openTexts(ctx, mergeRights(envelopes.flatMap(rightOfAuthor)), envelopes)
  const noteOf = await peekNotes(ctx, envelopes)
  const letters = new Map<string, Peek>()
  for (const envelope of envelopes) {
    const { id, authorId, kind, title, revealAt, mediaId } = envelope
    const media = mediaId === null ? undefined : await findMedia(ctx.db, mediaId)
    const facts = media && openFacts(openKeyForWork(ctx, media), media)
    const text = texts.get(id)
    letters.set(id, {
      ...{ id, authorId, kind, title, revealAt },
      content: text?.content ?? '',
      fileName: facts?.name ?? null,
      fileSize: facts?.sizeBytes ?? null,
      fileCount: albumOf(envelope).length,
      captions: (text?.files ?? []).map(({ caption }) => caption),
      voiceWords: text?.voiceWords ?? null,
      stationery: text?.stationery,
      fileWords: text?.fileWords ?? null,
      openingNote: noteOf(id),
    })
  }
  return letters
}

async function peekNotes(ctx: AppContext, letters: readonly { id: string; authorId: string }[]) {
  const notes = new Map<string, string | null>()
  for (const letter of letters) {
    const notesOf = await getOwnNotes(ctx, { userId: letter.authorId }, [letter])
    notes.set(letter.id, notesOf(letter.id).opening)
  }
  return (id: string) => notes.get(id) ?? null
}

/** What opens the text in the commitment of a letter that is sealed now. */
export async function peekSalt({ server }: World, id: string): Promise<string | undefined> {
  const { ctx } = server
  const envelope = await findEnvelope(ctx.db, id)
  const version = envelope && envelope.revealAt > ctx.now() ? envelope : undefined
  const right = version && rightOfAuthor(version)[0]
  const opened = version && right && (await openCommitted(ctx, right, [version])).get(id)
  return opened?.format === 2 ? opened.salts.content.toString('hex') : undefined
}

function rightOfAuthor(letter: LetterVersion & LetterFiles & { authorId: string }): ReadingRight[] {
  const right = grantAuthor({ userId: letter.authorId }, [letter])
  return right ? [right] : []
}

/** What was written to the author of a letter, or of any, and back. */
export async function peekReplies({ server }: World, id?: string): Promise<ReplyWords[]> {
  const { ctx } = server
  const letters =
    id === undefined ? await ctx.db.selectFrom('revelations').select('id').execute() : [{ id }]
  const replies = await listRepliesTo(
    ctx.db,
    letters.map((letter) => letter.id),
  )
  const opened: ReplyWords[] = []
  for (const reply of replies) {
    const right = grantOwnReplies({ userId: reply.authorId }, [reply])
    if (right) opened.push(...(await openReplies(ctx, right, [reply.id])).values())
  }
  return opened
}

/** The facts of the locked voices’ files, by id. */
export async function peekVoices({ server }: World): Promise<Map<string, MediaFacts>> {
  const { ctx } = server
  const rows = await ctx.db
    .selectFrom('sounds')
    .select(['id', 'mediaId'])
    .where('revealAt', '>', ctx.now())
    .execute()
  const voices = new Map<string, MediaFacts>()
  for (const { id, mediaId } of rows) {
    const media = await findMedia(ctx.db, mediaId)
    if (media) voices.set(id, openFacts(openKeyForWork(ctx, media), media))
  }
  return voices
}

type Change = (world: World, call: Call, seen: Seen) => Promise<Seen> | Seen

/** Changes the answers to others than the author. */
export function answering(name: string, change: Change): Mutant {
  return wrapping(name, async (world, call, send) => {
    const seen = await send(call)
    return call.token === world.people.author.token ? seen : change(world, call, seen)
  })
}

type Send = World['send']

/** Stands between the observers and the server. */
export function wrapping(
  name: string,
  answer: (world: World, call: Call, send: Send) => Promise<Seen>,
): Mutant {
  return {
    name,
    plant(world) {
      const { send } = world
      world.send = (call) => answer(world, call, send)
      return () => {
        world.send = send
      }
    },
  }
}

/** Adds `fieldsOf` a sealed letter to its envelope, wherever others see it. */
export function addingToEnvelopes(
  name: string,
  fieldsOf: (letter: Peek) => Record<string, unknown>,
): Mutant {
  return answering(name, async (world, _call, seen) => {
    if (shownIn(jsonOf(seen)).length === 0) return seen
    const letters = await peek(world)
    return changed(seen, (body) => {
      for (const shown of shownIn(body)) {
        const letter = letters.get(shown.id)
        if (letter) Object.assign(shown, fieldsOf(letter))
      }
    })
  })
}

/** Opens the gate before the instant for the addresses that match: every instant from the database is long past. */
export function gateOpenAt(name: string, addresses: RegExp): Mutant {
  const isOpen = new AsyncLocalStorage<boolean>()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isOpen.getStore()) return result
      const early = result.rows.map((row) =>
        row.revealAt ? { ...row, revealAt: new Date(0) } : row,
      )
      return { ...result, rows: early }
    },
  }
  return {
    name,
    plant(world) {
      const { send } = world
      const { ctx } = world.server
      const { db } = ctx
      ctx.db = db.withPlugin(plugin)
      world.send = (call) => isOpen.run(addresses.test(call.path), () => send(call))
      return () => {
        ctx.db = db
        world.send = send
      }
    },
  }
}

/** Believes a field in the body of a new revelation that is not the client’s to set. */
export function believing(
  name: string,
  field: string,
  columnOf: (value: string) => { revealAt: Date } | { authorId: string },
): Mutant {
  return wrapping(name, async (world, call, send) => {
    const seen = await send(call)
    const value = (call.body as Record<string, unknown> | undefined)?.[field]
    if (call.path !== '/api/revelations' || seen.status !== 201 || !value) return seen
    await world.server.ctx.db
      .updateTable('revelations')
      .set(columnOf(String(value)))
      .where('id', '=', jsonOf(seen).revelation.id)
      .execute()
    return seen
  })
}

/** Changes every mail that leaves, from the sealed letters. */
export function mailing(
  name: string,
  change: (email: Email, letters: readonly Peek[]) => Email,
): Mutant {
  return changingMails(name, async (email, world) =>
    change(email, [...(await peek(world)).values()]),
  )
}

/** The same, from what people wrote to authors. */
export function mailingReplies(
  name: string,
  change: (email: Email, replies: readonly ReplyWords[]) => Email,
): Mutant {
  return changingMails(name, async (email, world) => change(email, await peekReplies(world)))
}

function changingMails(
  name: string,
  change: (email: Email, world: World) => Promise<Email>,
): Mutant {
  return {
    name,
    plant(world) {
      const { ctx } = world.server
      const { mail } = ctx
      ctx.mail = {
        ...mail,
        send: async (email) => mail.send(await change(email, world)),
      }
      return () => {
        ctx.mail = mail
      }
    },
  }
}

/** Adds `fieldsOf` a sealed letter to the events about it. */
export function addingToEvents(
  name: string,
  fieldsOf: (letter: Peek) => Partial<PageEvent['data']>,
): Mutant {
  return {
    name,
    plant(world) {
      const { openPage } = world
      world.openPage = async (as, watch) => {
        const page = await openPage(as, watch)
        const letters = await peek(world)
        const leaking = ({ name, data }: PageEvent) => {
          const letter = letters.get(data.id ?? '')
          return { name, data: letter ? { ...data, ...fieldsOf(letter) } : data }
        }
        return {
          ...page,
          get events() {
            return page.events.map(leaking)
          },
        }
      }
      return () => {
        world.openPage = openPage
      }
    },
  }
}

/** The same answer with another JSON body, and its right length. */
export function changed(
  seen: Seen,
  // biome-ignore lint/suspicious/noExplicitAny: a leak reads any shape
  change: (body: any) => void,
): Seen {
  const body = seen.status < 300 ? jsonOf(seen) : undefined
  if (!body) return seen
  change(body)
  return withBody(seen, body)
}

export function withBody(seen: Seen, body: object): Seen {
  const bytes = Buffer.from(JSON.stringify(body))
  return { ...seen, headers: { ...seen.headers, 'content-length': String(bytes.length) }, bytes }
}

/** The revelations in an answer, one or many. */
export function shownIn(
  body: { revelation?: { id: string }; revelations?: { id: string }[] } | undefined,
): { id: string }[] {
  return body?.revelations ?? (body?.revelation ? [body.revelation] : [])
}
