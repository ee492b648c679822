import { AsyncLocalStorage } from 'node:async_hooks'
import type { KyselyPlugin } from 'kysely'
import { findMedia } from '#server/features/media/media.repository.ts'
import {
  type MediaFacts,
  openFacts,
  openKeyForWork,
} from '#server/features/media/media-keys.service.ts'
import { openCommitted, openTexts } from '#server/features/revelations/letters.service.ts'
import type { Email } from '#server/platform/mail/mail.ts'
import { grantReading } from '#server/platform/sealing/reading-right.ts'
import type { HeardEvent } from '#test/event-page.ts'
import { type Asked, jsonOf, type Seen } from './requests.ts'
import type { World } from './worlds.ts'

/** A leak planted in a server under test; what `plant` answers takes it out again. */
export interface Mutant {
  name: string
  plant(world: World): () => void
}

/** A sealed letter, as only its author may know it. */
export interface Peek {
  id: string
  authorId: string
  title: string
  content: string
  revealAt: Date
  fileName: string | null
  fileSize: number | null
}

/** The letters that are sealed now, by id. */
export async function peek({ server }: World): Promise<Map<string, Peek>> {
  const { ctx } = server
  const rows = await ctx.db
    .selectFrom('revelations')
    .select(['id', 'authorId', 'title', 'revealAt', 'mediaId', 'commitment'])
    .where('revealAt', '>', ctx.now())
    .execute()
  const right = grantReading(true)
  const texts = right ? await openTexts(ctx, right, rows) : new Map()
  const letters = new Map<string, Peek>()
  for (const { mediaId, commitment: _, ...row } of rows) {
    const media = mediaId === null ? undefined : await findMedia(ctx.db, mediaId)
    const facts = media && openFacts(openKeyForWork(ctx, media), media)
    letters.set(row.id, {
      ...row,
      content: texts.get(row.id)?.content ?? '',
      fileName: facts?.name ?? null,
      fileSize: facts?.sizeBytes ?? null,
    })
  }
  return letters
}

/** The salt of a letter that is sealed now. */
export async function peekSalt({ server }: World, id: string): Promise<string | undefined> {
  const { ctx } = server
  const version = await ctx.db
    .selectFrom('revelations')
    .select(['id', 'commitment'])
    .where('id', '=', id)
    .where('revealAt', '>', ctx.now())
    .executeTakeFirst()
  const right = grantReading(true)
  const opened = version && right && (await openCommitted(ctx, right, version))
  return opened?.salt.toString('hex')
}

/** What the locked voices are made of, by id. */
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

type Change = (world: World, asked: Asked, seen: Seen) => Promise<Seen> | Seen

/** Changes what others than the author are answered. */
export function answering(name: string, change: Change): Mutant {
  return wrapping(name, async (world, asked, send) => {
    const seen = await send(asked)
    return asked.token === world.people.author.token ? seen : change(world, asked, seen)
  })
}

type Send = World['send']

/** Stands between the observers and the server. */
export function wrapping(
  name: string,
  answer: (world: World, asked: Asked, send: Send) => Promise<Seen>,
): Mutant {
  return {
    name,
    plant(world) {
      const { send } = world
      world.send = (asked) => answer(world, asked, send)
      return () => {
        world.send = send
      }
    },
  }
}

/** Adds to every revelation that others are shown what `fieldsOf` makes of its sealed letter. */
export function telling(name: string, fieldsOf: (letter: Peek) => Record<string, unknown>): Mutant {
  return answering(name, async (world, _asked, seen) => {
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

/** Opens the gate before the instant for the addresses that match: every instant the database gives is long past. */
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
      world.send = (asked) => isOpen.run(addresses.test(asked.path), () => send(asked))
      return () => {
        ctx.db = db
        world.send = send
      }
    },
  }
}

/** Believes what the body of a new revelation says of something that is not the client’s to say. */
export function believing(
  name: string,
  field: string,
  columnOf: (value: string) => { revealAt: Date } | { authorId: string },
): Mutant {
  return wrapping(name, async (world, asked, send) => {
    const seen = await send(asked)
    const value = (asked.body as Record<string, unknown> | undefined)?.[field]
    if (asked.path !== '/api/revelations' || seen.status !== 201 || !value) return seen
    await world.server.ctx.db
      .updateTable('revelations')
      .set(columnOf(String(value)))
      .where('id', '=', jsonOf(seen).revelation.id)
      .execute()
    return seen
  })
}

/** Changes every mail that leaves, knowing the letters that are sealed. */
export function mailing(
  name: string,
  change: (email: Email, letters: readonly Peek[]) => Email,
): Mutant {
  return {
    name,
    plant(world) {
      const { ctx } = world.server
      const { mail } = ctx
      ctx.mail = {
        ...mail,
        send: async (email) => mail.send(change(email, [...(await peek(world)).values()])),
      }
      return () => {
        ctx.mail = mail
      }
    },
  }
}

/** Adds to every event that pages hear what `fieldsOf` makes of the sealed letter it is about. */
export function hearing(
  name: string,
  fieldsOf: (letter: Peek) => Partial<HeardEvent['data']>,
): Mutant {
  return {
    name,
    plant(world) {
      const { openPage } = world
      world.openPage = async (as, watch) => {
        const page = await openPage(as, watch)
        const letters = await peek(world)
        const leaking = ({ name, data }: HeardEvent) => {
          const letter = letters.get(data.id ?? '')
          return { name, data: letter ? { ...data, ...fieldsOf(letter) } : data }
        }
        return {
          ...page,
          get heard() {
            return page.heard.map(leaking)
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
  const bytes = Buffer.from(JSON.stringify(body))
  return { ...seen, headers: { ...seen.headers, 'content-length': String(bytes.length) }, bytes }
}

/** The revelations in an answer, one or many. */
export function shownIn(
  body: { revelation?: { id: string }; revelations?: { id: string }[] } | undefined,
): { id: string }[] {
  return body?.revelations ?? (body?.revelation ? [body.revelation] : [])
}
