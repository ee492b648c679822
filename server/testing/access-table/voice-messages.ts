import { type AddressedVariant, readPath, urlOf } from '#server/features/media/file-names.rules.ts'
import { createTicket } from '#server/features/media/file-serving.service.ts'
import type { MediaVariant } from '#server/features/media/media.rules.ts'
import { relate } from '#testing/factories.ts'
import {
  type Answer,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { createVoiceMessage, uploadVoice } from '#testing/voice-messages.ts'

export const VOICE_REVEAL = new Date('2026-11-22T09:00:00.000Z')

export interface VoiceItem {
  kind: VoiceKind
  id: string
  mediaId: string
  /** The path from its upload. */
  path: string
  description: string
  /** Equal ones, to be deleted: one for each state. */
  spares: string[]
}

const CAST = [
  'author',
  'stranger',
  'friend',
  'family',
  'friend recipient',
  'family recipient',
] as const

type Account = Person & { sessionId: string }

/** One server with every viewer of the table and a prepared voice message of each kind. */
export interface VoiceStage {
  server: TestApp
  items: readonly VoiceItem[]
  /** One request of this viewer, related to the author as in the table. */
  call(viewer: VoiceViewer, method: string, url: string, body?: object): Promise<Answer>
  hasAccount(viewer: VoiceViewer): boolean
  /** The address of a variant, with a ticket for this viewer, so that only the gate can refuse. */
  addressOf(viewer: VoiceViewer, mediaId: string, variant: AddressedVariant): string
}

export async function openVoiceStage(): Promise<VoiceStage> {
  const server = await startTestServer()
  const { ctx } = server
  const cast = Object.fromEntries(
    await Promise.all(CAST.map(async (name) => [name, await openAccount(server)])),
  ) as Record<(typeof CAST)[number], Account>
  const { author, friend, family } = cast
  await relate(server, author, friend, 'friend')
  await relate(server, author, family, 'family')
  await relate(server, author, cast['friend recipient'], 'friend')
  await relate(server, author, cast['family recipient'], 'family')
  const recipients = {
    shared: null,
    'for a friend': 'friend recipient',
    'for family': 'family recipient',
  } as const
  const items: VoiceItem[] = []
  for (const kind of VOICE_KINDS) {
    const recipient = recipients[kind]
    items.push(await sealVoice(server, author, kind, recipient && cast[recipient].id))
  }
  await server.runJobs()

  function accountOf(viewer: VoiceViewer): Account | undefined {
    switch (viewer) {
      case 'visitor':
        return undefined
      case 'recipient who is family':
        return cast['family recipient']
      case 'recipient who is a friend':
      case 'recipient no longer related':
      case 'recipient who is blocked':
        return cast['friend recipient']
      default:
        return cast[viewer]
    }
  }

  /** Gives the recipient who is a friend the relation that the viewer’s name describes. */
  async function setRelation(viewer: VoiceViewer): Promise<void> {
    const recipient = cast['friend recipient']
    if (accountOf(viewer) !== recipient) return
    const isBlocked = viewer === 'recipient who is blocked'
    const url = `/api/relationships/blocks/${recipient.id}`
    await server.call(isBlocked ? 'PUT' : 'DELETE', url, { as: author })
    if (viewer === 'recipient who is a friend') await relate(server, author, recipient, 'friend')
    if (viewer === 'recipient no longer related') await endRelation(server, author, recipient)
  }

  return {
    server,
    items,
    async call(viewer, method, url, body) {
      await setRelation(viewer)
      return server.call(method, url, { as: accountOf(viewer), body })
    },
    hasAccount: (viewer) => accountOf(viewer) !== undefined,
    addressOf(viewer, mediaId, variant) {
      const account = accountOf(viewer)
      const holder = account ? `session:${account.sessionId}` : 'visitor'
      const file = { id: mediaId, kind: 'audio', extension: 'webm' } as const
      const ticket = createTicket(ctx, mediaId, variant satisfies MediaVariant, holder)
      return `${urlOf(file, variant)}?token=${ticket}`
    },
  }
}

async function openAccount(server: TestApp): Promise<Account> {
  const person = await signedIn(server)
  const { body } = await server.call('GET', '/api/auth/sessions', { as: person })
  return { ...person, sessionId: body.sessions[0].id }
}

async function endRelation(server: TestApp, author: Person, other: Person): Promise<void> {
  const { body } = await server.call('GET', '/api/relationships', { as: author })
  for (const { id, related_user: related } of body.relationships) {
    if (related.id === other.id)
      await server.call('DELETE', `/api/relationships/${id}`, { as: author })
  }
}

async function sealVoice(
  server: TestApp,
  author: Person,
  kind: VoiceKind,
  recipientId: string | null,
): Promise<VoiceItem> {
  const description = `Ce que dit la voix ${kind}.`
  const sealed: { id: string; url: string }[] = []
  for (const mark of ['', '1', '2', '3']) {
    const url = await uploadVoice(server, author, { name: `secret-${kind}.webm` })
    const { id } = await createVoiceMessage(server, author, {
      title: `La voix ${kind}${mark}`,
      description,
      file_url: url,
      recipient_id: recipientId,
      reveal_date: VOICE_REVEAL.toISOString(),
      reveal_message: 'Patience…',
    })
    sealed.push({ id, url })
  }
  const [first = { id: '', url: '' }, ...spares] = sealed
  const { mediaId = '', path = '' } = readPath(first.url) ?? {}
  return { kind, id: first.id, mediaId, path, description, spares: spares.map(({ id }) => id) }
}

/**
 * The table of behaviour.md 2.8: shared = the accepted family of the author; private = author and recipient, who is family
 * or friend. « sealed → playable »: before its instant nobody plays it, not even its author. A relation that ends or a
 * block ends the access too.
 */
const TABLE = {
  visitor: row('nothing', 'nothing', 'nothing'),
  stranger: row('nothing', 'nothing', 'nothing'),
  friend: row('nothing', 'nothing', 'nothing'),
  family: row('sealed → playable', 'nothing', 'nothing'),
  'recipient who is a friend': row('nothing', 'sealed → playable', 'nothing'),
  'recipient who is family': row('sealed → playable', 'nothing', 'sealed → playable'),
  'recipient no longer related': row('nothing', 'nothing', 'nothing'),
  'recipient who is blocked': row('nothing', 'nothing', 'nothing'),
  author: row('sealed → playable', 'sealed → playable', 'sealed → playable'),
}

function row(shared: string, forFriend: string, forFamily: string) {
  return { shared, 'for a friend': forFriend, 'for family': forFamily }
}

export type VoiceViewer = keyof typeof TABLE
export const VOICE_VIEWERS = Object.keys(TABLE) as VoiceViewer[]

export type VoiceKind = keyof ReturnType<typeof row>
const VOICE_KINDS = ['shared', 'for a friend', 'for family'] as const

export type Playback = 'nothing' | 'sealed' | 'playable'

export function playbackOf(viewer: VoiceViewer, kind: VoiceKind, isRevealed: boolean): Playback {
  const [before = '', after = before] = TABLE[viewer][kind].split(' → ')
  return (isRevealed ? after : before) as Playback
}
