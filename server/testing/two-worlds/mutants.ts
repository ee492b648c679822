import { createHash } from 'node:crypto'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { openKeyForWork, plainFileOf } from '#server/features/media/file-keys.service.ts'
import { findMedia, findObject } from '#server/features/media/media.repository.ts'
import { commitmentOf } from '#server/platform/sealing/commitment.ts'
import { type Call, jsonOf, type Seen } from './calls.ts'
import {
  addingToEnvelopes,
  addingToEvents,
  answering,
  believing,
  changed,
  gateOpenAt,
  type Mutant,
  mailing,
  mailingReplies,
  type Peek,
  peek,
  peekReplies,
  peekSalt,
  peekVoices,
  shownIn,
  withBody,
  wrapping,
} from './mutant-kinds.ts'
import { RECEIVED } from './received.ts'
import type { World } from './worlds.ts'

const VOICES = '/api/family-sounds'
const PROOF = /^\/api\/revelations\/[^/]+\/proof$/
const PRESENCE = /\/presence$/
const OPENING = /\/open$/
const NOTIFICATIONS = /^\/api\/notifications(\?|\/read)/
const REPLIES = /\/replies/
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

function isList({ method, path }: Call): boolean {
  return method === 'GET' && /^\/api\/revelations(\/user\/[^/]+)?\?/.test(path)
}

function wordOf({ path }: Call): string | null {
  return new URLSearchParams(path.split('?')[1]).get('q')
}

function kindOf({ path }: Call): string | null {
  return new URLSearchParams(path.split('?')[1]).get('kind')
}

async function lettersWith(world: World, call: Call): Promise<Peek[]> {
  const word = isList(call) && wordOf(call)?.toLowerCase()
  if (!word) return []
  const letters = [...(await peek(world)).values()]
  return letters.filter(({ content }) => content.toLowerCase().includes(word))
}

/** The sealed letter that such an address is about. */
async function letterAt(world: World, { path }: Call, addresses: RegExp): Promise<Partial<Peek>> {
  const id = addresses.test(path) && ID.exec(path)?.[0]
  return (id && (await peek(world)).get(id)) || {}
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The bytes of the original of the file that an address names. */
async function originalAt({ server: { ctx } }: World, path: string): Promise<Buffer | undefined> {
  const media = await findMedia(ctx.db, ID.exec(path)?.[0] ?? '')
  const object = media && (await findObject(ctx.db, media.id, 'original'))
  if (!media || !object) return undefined
  const plain = plainFileOf(ctx, openKeyForWork(ctx, media), object)
  const stream = await plain.read({ start: 0, end: object.sizeBytes - 1 })
  return Buffer.concat(await stream.toArray())
}

/** Leaks that may show in any phase. */
const MUTANTS: readonly Mutant[] = [
  answering('a key answers the letter of whoever used it first', async (world, call, seen) => {
    if (call.method !== 'POST' || !call.headers?.[IDEMPOTENCY_HEADER]) return seen
    const [letter] = (await peek(world)).values()
    return letter ? withBody({ ...seen, status: 201 }, { revelation: letter }) : seen
  }),
  answering('search finds sealed letters', async (world, call, seen) => {
    const found = await lettersWith(world, call)
    const token = call.token ? { authorization: `Bearer ${call.token}` } : {}
    const answers = await Promise.all(
      found.map(({ id }) =>
        world.server.app.inject({ url: `/api/revelations/${id}`, headers: token }),
      ),
    )
    return changed(seen, (body) => {
      for (const answer of answers) {
        if (answer.statusCode === 200) body.revelations.push(answer.json().revelation)
      }
    })
  }),
  answering('counters count sealed letters that match', async (world, call, seen) => {
    const { length } = await lettersWith(world, call)
    return changed(seen, (body) => {
      if (body.counts) body.counts.found += length
    })
  }),
  answering('lists are in the order of the letters', async (world, call, seen) => {
    if (!isList(call)) return seen
    const letters = await peek(world)
    const keyOf = ({ id }: { id: string }) => letters.get(id)?.content ?? ''
    return changed(seen, (body) => {
      shownIn(body).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    })
  }),
  answering('the page mark holds the length of the letter', async (world, _call, seen) => {
    if (!jsonOf(seen)?.next_cursor) return seen
    const letters = await peek(world)
    return changed(seen, (body) => {
      const mark = JSON.parse(Buffer.from(body.next_cursor, 'base64url').toString())
      const { length } = letters.get(mark[2])?.content ?? ''
      const longer = JSON.stringify([...mark, length])
      body.next_cursor = Buffer.from(longer).toString('base64url')
    })
  }),
  answering('the ETag of a revelation is made from its letter', async (world, _call, seen) => {
    const [shown] = shownIn(jsonOf(seen))
    const letter = shown && (await peek(world)).get(shown.id)
    if (!letter) return seen
    const digest = createHash('sha256').update(letter.content).digest('base64url').slice(0, 22)
    return { ...seen, headers: { ...seen.headers, etag: `"${digest}"` } }
  }),
  answering('Content-Length counts the letter', async (world, _call, seen) => {
    const [shown] = shownIn(jsonOf(seen))
    const letter = shown && (await peek(world)).get(shown.id)
    if (!letter) return seen
    const length = String(seen.bytes.length + letter.content.length)
    return { ...seen, headers: { ...seen.headers, 'content-length': length } }
  }),
  addingToEnvelopes('the envelope says how long the letter is', ({ content }) => ({
    content_length: content.length,
  })),
  addingToEnvelopes('the envelope names the file', ({ fileName }) => ({ file_name: fileName })),
  addingToEnvelopes('the envelope quotes the voice of the seal', ({ voiceWords }) => ({
    seal_voice_words: voiceWords,
  })),
  addingToEnvelopes('the envelope shows the paper of the letter', ({ stationery }) => ({
    paper: stationery?.paper,
  })),
  addingToEnvelopes('the envelope quotes the note of the opening', ({ openingNote }) => ({
    opening_note: openingNote,
  })),
  addingToEnvelopes('the envelope has the captions of the film', ({ fileWords }) => ({
    file_words: fileWords,
  })),
  addingToEnvelopes('the envelope tells how many files there are', ({ fileCount }) => ({
    file_count: fileCount,
  })),
  addingToEnvelopes('the envelope has the captions of the files', ({ captions }) => ({ captions })),
  answering('the page of a letter is as long as its album', async (world, call, seen) => {
    const letter = await letterAt(world, call, /^\/revelation\//)
    if (!letter.fileCount) return seen
    return { ...seen, bytes: Buffer.concat([seen.bytes, Buffer.alloc(letter.fileCount, ' ')]) }
  }),
  addingToEnvelopes('the time of a change depends on the letter', ({ revealAt, content }) => ({
    updated_at: new Date(revealAt.getTime() - content.length).toISOString(),
  })),
  addingToEnvelopes('the commitment is a plain hash of the letter', ({ content }) => ({
    commitment: sha256(content),
  })),
  addingToEnvelopes('the salt of the commitment is no secret', (letter) => ({
    commitment: commitmentOf(Buffer.alloc(32), { ...letter, fileSha256: undefined }).toString(
      'hex',
    ),
  })),
  answering('the picture of a revelation holds its letter', async (world, call, seen) => {
    const isPicture = call.path.startsWith('/apercu/')
    const letter = isPicture && (await peek(world)).get(ID.exec(call.path)?.[0] ?? '')
    if (!letter) return seen
    return { ...seen, bytes: Buffer.concat([seen.bytes, Buffer.from(letter.content)]) }
  }),
  answering('a refused file tells its size', async (world, call, seen) => {
    const bytes = seen.status === 404 ? await originalAt(world, call.path) : undefined
    if (!bytes) return seen
    return { ...seen, headers: { ...seen.headers, 'content-range': `bytes */${bytes.length}` } }
  }),
  gateOpenAt('the proof opens before the instant', PROOF),
  answering('the proof tells the salt before the instant', async (world, call, seen) => {
    const salt = PROOF.test(call.path) && (await peekSalt(world, ID.exec(call.path)?.[0] ?? ''))
    return salt ? changed(seen, (body) => Object.assign(body, { salt })) : seen
  }),
  gateOpenAt('a letter is downloaded before the instant', /\/archive$/),
  gateOpenAt('files open before the instant', /^\/api\/(secure-file|audio)\//),
  gateOpenAt('the full thumbnail shows before the instant', /^\/api\/thumbnail\//),
  answering('the teaser is the whole video', async (world, call, seen): Promise<Seen> => {
    const isTeaser = call.path.includes('/teaser_') && seen.status === 200
    const bytes = isTeaser ? await originalAt(world, call.path) : undefined
    return bytes ? { ...seen, bytes } : seen
  }),
  answering(
    'one byte of the teaser comes from the rest of the video',
    async (world, call, seen) => {
      const isTeaser = call.path.includes('/teaser_') && seen.status === 200
      const original = isTeaser ? await originalAt(world, call.path) : undefined
      if (!original) return seen
      const bytes = Buffer.from(seen.bytes)
      bytes[bytes.length - 1] = createHash('sha256').update(original).digest()[0] ?? 0
      return { ...seen, bytes }
    },
  ),
  answering('a profile lists sealed letters', async (world, call, seen) => {
    if (!/\/revelations\/user\//.test(call.path)) return seen
    const letters = await peek(world)
    return changed(seen, (body) => body.revelations.push(...letters.values()))
  }),
  answering('an export holds the letters of others', async (world, call, seen) => {
    if (!call.path.startsWith('/api/auth/export?format=json')) return seen
    const letters = await peek(world)
    return changed(seen, (body) => body.revelations.push(...letters.values()))
  }),
  answering('the figures of a profile measure its letters', async (world, call, seen) => {
    if (!call.path.startsWith('/api/auth/user/')) return seen
    const letters = [...(await peek(world)).values()]
    const own = letters.filter(({ authorId }) => call.path.endsWith(authorId))
    return changed(seen, (body) => {
      if (!body.stats) return
      for (const { content } of own) body.stats.total_views += content.length
    })
  }),
  wrapping('whoever sees a revelation may edit it', (world, call, send) =>
    send(call.method === 'PUT' ? { ...call, token: world.people.author.token } : call),
  ),
  wrapping('anybody may ask how a file is coming on', (world, call, send) =>
    send(/\/jobs\/status/.test(call.path) ? { ...call, token: world.people.author.token } : call),
  ),
  believing('the client says when it is revealed', 'reveal_at', (value) => ({
    revealAt: new Date(value),
  })),
  believing('the client says who the author is', 'author_id', (value) => ({ authorId: value })),
  mailing('the notice to the addressee quotes the letter', (email, letters) => {
    const about = letters.find(({ title }) => email.text.includes(title))
    return { ...email, text: `${email.text}\n${about?.content.slice(0, 12) ?? ''}` }
  }),
  mailing('the notice to the addressee carries the note of the opening', (email, letters) => {
    const about = letters.find(({ title }) => email.text.includes(title))
    return { ...email, text: `${email.text}\n${about?.openingNote ?? ''}` }
  }),
  mailing('the mail about comments counts the words of the letter', (email, letters) => {
    const about = letters.find(({ title }) => email.text.includes(title))
    if (!about || !/ sous (votre révélation|\d+ de vos)/.test(email.subject)) return email
    return { ...email, subject: `${about.content.split(' ').length} ${email.subject}` }
  }),
  answering('the event in a calendar lasts as long as the letter', async (world, call, seen) => {
    const letter = (await peek(world)).get(ID.exec(call.path)?.[0] ?? '')
    if (!letter || seen.status !== 200 || !call.path.endsWith('calendar.ics')) return seen
    const file = seen.bytes.toString()
    const minutes = String(letter.content.length % 60).padStart(2, '0')
    const bytes = Buffer.from(file.replace(/(?<=DTEND:\w{11})\d\d/, minutes))
    return { ...seen, bytes }
  }),
  answering('the number of comments counts the words of the letter', async (world, call, seen) => {
    const { content } = (await peek(world)).get(ID.exec(call.path)?.[0] ?? '') ?? {}
    if (!content || !call.path.startsWith('/api/comments/')) return seen
    return changed(seen, (body) => {
      body.total += content.split(' ').length
    })
  }),
  wrapping('a comment that quotes the letter is refused', async (world, call, send) => {
    const { revelation_id, content } = (call.body ?? {}) as Record<string, string>
    const letter = (await peek(world)).get(revelation_id ?? '')
    const isQuoted = content && letter?.content.includes(content.split(' ').at(-1) ?? '')
    return send(isQuoted && call.path === '/api/comments' ? { ...call, body: {} } : call)
  }),
  addingToEvents('an event counts the letters of the letter', ({ content }) => ({
    reactions_count: content.length,
  })),
  answering(
    'the votes of a sealed prediction are as many as its words',
    async (world, _call, seen) => {
      const [shown] = shownIn(jsonOf(seen))
      const letter = shown && (await peek(world)).get(shown.id)
      if (!letter) return seen
      return changed(seen, (body) => {
        const [one] = shownIn(body) as { prediction?: unknown }[]
        if (one) one.prediction = { votes: { fulfilled: letter.content.split(' ').length } }
      })
    },
  ),
  answering('a list by kind counts the words of what is sealed', async (world, call, seen) => {
    const kind = isList(call) && kindOf(call)
    if (!kind) return seen
    const letters = [...(await peek(world)).values()].filter((letter) => letter.kind === kind)
    return changed(seen, (body) => {
      for (const { content } of letters) body.counts.found += content.split(' ').length
    })
  }),
  answering('a sealed announcement has votes, one for each word', async (world, _call, seen) => {
    const letters = await peek(world)
    return changed(seen, (body) => {
      for (const shown of shownIn(body) as { id: string; prediction?: unknown }[]) {
        const letter = letters.get(shown.id)
        if (letter?.kind !== 'announcement') continue
        shown.prediction = { votes: { failed: letter.content.split(' ').length } }
      }
    })
  }),
  answering('as many wait for a sealed letter as it has words', async (world, call, seen) => {
    const { content } = await letterAt(world, call, PRESENCE)
    return changed(seen, (body) => {
      if (content) body.waiting += content.split(' ').length
    })
  }),
  answering('presence counts for whoever may not see the letter', async (world, call, seen) => {
    const { content } = await letterAt(world, call, PRESENCE)
    if (!content || seen.status !== 404) return seen
    return withBody({ ...seen, status: 200 }, { waiting: content.length, people: [] })
  }),
  answering(
    'the refusal to open too early says how much there is to read',
    async (world, call, seen) => {
      const { content } = await letterAt(world, call, OPENING)
      if (!content || seen.status !== 409) return seen
      return withBody(seen, { ...jsonOf(seen), left: content.length })
    },
  ),
  wrapping('the log quotes the letter', async (world, call, send) => {
    const { content } = (call.body ?? {}) as { content?: string }
    if (content) world.server.ctx.log.info({ excerpt: content.slice(0, 12) }, 'sealing')
    return send(call)
  }),
]

/** Leaks of what accounts are told, which show once recipients were notified. */
export const NOTIFICATION_MUTANTS: readonly Mutant[] = [
  answering('a notification outlives the right to what it is about', async (world, call, seen) => {
    if (!NOTIFICATIONS.test(call.path)) return seen
    const letters = await peek(world)
    return changed(seen, (body) => {
      for (const { id, content } of letters.values())
        body.notifications?.push({ kind: 'letter_waiting', revelation_id: id, text: content })
    })
  }),
  answering(
    'a letter is in a notification before its addressee may know',
    async (world, call, seen) => {
      if (!NOTIFICATIONS.test(call.path)) return seen
      const letters = [...(await peek(world)).values()]
      return changed(seen, (body) => {
        for (const one of body.notifications ?? []) {
          const about = letters.find(({ id }) => id === one.revelation_id)
          if (about) one.text += ` ${about.content.slice(0, 12)}`
        }
      })
    },
  ),
  answering('the unread count the words of sealed letters', async (world, call, seen) => {
    if (!NOTIFICATIONS.test(call.path)) return seen
    const letters = [...(await peek(world)).values()]
    return changed(seen, (body) => {
      for (const { content } of letters) body.unread += content.split(' ').length
    })
  }),
]

/** Leaks of voice messages, which show without any letter. */
export const VOICE_MUTANTS: readonly Mutant[] = [
  answering('a locked voice says how long it is', async (world, call, seen) => {
    if (!call.path.startsWith(VOICES)) return seen
    const voices = await peekVoices(world)
    return changed(seen, (body) => {
      for (const sound of body.sounds ?? []) {
        const facts = voices.get(sound.id)
        if (facts) sound.duration = facts.durationSeconds
      }
    })
  }),
  answering('the totals of the voices count what is locked', async (world, call, seen) => {
    if (!call.path.startsWith(VOICES)) return seen
    const voices = [...(await peekVoices(world)).values()]
    return changed(seen, (body) => {
      if (!body.totals?.sounds) return
      for (const { durationSeconds } of voices) body.totals.duration += durationSeconds ?? 0
    })
  }),
  answering('the page mark of the voices holds the size of one', async (world, call, seen) => {
    if (!call.path.startsWith(VOICES) || !jsonOf(seen)?.next_cursor) return seen
    const [facts] = (await peekVoices(world)).values()
    return changed(seen, (body) => {
      const mark = Buffer.from(body.next_cursor, 'base64url').toString()
      body.next_cursor = Buffer.from(`${mark}${facts?.sizeBytes}`).toString('base64url')
    })
  }),
  gateOpenAt('the shape of a voice shows before the instant', /\/waveform$/),
]

/** Leaks of what the author of an open letter and the people it was for write to each other. */
export const REPLY_MUTANTS: readonly Mutant[] = [
  answering('replies are read by whoever asks', async (world, call, seen) => {
    if (call.method !== 'GET' || seen.status !== 404 || !REPLIES.test(call.path)) return seen
    const replies = await peekReplies(world, ID.exec(call.path)?.[0] ?? '')
    return replies.length > 0 ? withBody({ ...seen, status: 200 }, { replies }) : seen
  }),
  answering('a refusal says how long the last reply is', async (world, call, seen) => {
    if (seen.status !== 404 || !REPLIES.test(call.path)) return seen
    const [reply] = await peekReplies(world, ID.exec(call.path)?.[0] ?? '')
    return reply ? withBody(seen, { ...jsonOf(seen), length: reply.content?.length }) : seen
  }),
  mailingReplies('the mail about a reply quotes it', (email, [reply]) => ({
    ...email,
    text: `${email.text}\n${reply?.content ?? ''}`,
  })),
]

/** Leaks of what is received, by address or by a link that was joined. */
export const RECEIVED_MUTANTS: readonly Mutant[] = [
  wrapping('a saved letter outlives its revoked key', async (world, call, send) => {
    const { pool } = world.server.ctx
    await pool.query(`update deliveries set revoked_at = null where revoked_at is not null`)
    await pool.query(
      `update saved_letters set key_version = deliveries.key_version from deliveries
       where deliveries.id = delivery_id and saved_letters.key_version <> deliveries.key_version`,
    )
    return send(call)
  }),
  answering('received shows a letter before its instant', async (world, call, seen) => {
    if (!call.path.startsWith(RECEIVED)) return seen
    const letters = await peek(world)
    return changed(seen, (body) => body.revelations.push(...letters.values()))
  }),
  answering('an unproved address is told that letters wait', async (world, call, seen) => {
    if (!call.path.startsWith(RECEIVED)) return seen
    const { email } = Object.values(world.people).find(({ token }) => token === call.token) ?? {}
    const { rowCount } = await world.server.ctx.pool.query(
      'select from deliveries where address_key = $1',
      [email],
    )
    return changed(seen, (body) => {
      body.counts.waiting += rowCount
    })
  }),
]

/** Acts on somebody else’s upload as if its author did. */
function actingOnUploads(name: string, method: string): Mutant {
  return wrapping(name, (world, call, send) => {
    const isMeant = call.method === method && /^\/api\/uploads\/[^/]+$/.test(call.path)
    return send(isMeant ? { ...call, token: world.people.author.token } : call)
  })
}

export const TRANSFER_MUTANTS: readonly Mutant[] = [
  actingOnUploads('an upload says to anybody how long it is', 'HEAD'),
  actingOnUploads('an upload goes on for whoever has its address', 'PATCH'),
  answering('the room an author has taken shows in an address', async (world, call, seen) => {
    if (call.method !== 'POST' || !seen.headers.location) return seen
    const { sum } = await world.server.ctx.db
      .selectFrom('media')
      .select(({ fn }) => fn.sum<string>('sizeBytes').as('sum'))
      .executeTakeFirstOrThrow()
    return { ...seen, headers: { ...seen.headers, location: `${seen.headers.location}?of=${sum}` } }
  }),
]

/** Leaks as somebody might write them one day. Each must be found, or the harness is blind where it stands. */
const ALL_MUTANTS: readonly Mutant[] = [
  ...MUTANTS,
  ...VOICE_MUTANTS,
  ...TRANSFER_MUTANTS,
  ...REPLY_MUTANTS,
  ...RECEIVED_MUTANTS,
  ...NOTIFICATION_MUTANTS,
]

const QUICK = [
  'the envelope says how long the letter is',
  'files open before the instant',
  'a locked voice says how long it is',
  'a notification outlives the right to what it is about',
  'a letter is in a notification before its addressee may know',
]

/** Some of each kind that the plain suite plants in one trace; the others are for `script/test --all`. */
export const QUICK_MUTANTS = ALL_MUTANTS.filter(({ name }) => QUICK.includes(name))
export const OTHER_MUTANTS = ALL_MUTANTS.filter(({ name }) => !QUICK.includes(name))
