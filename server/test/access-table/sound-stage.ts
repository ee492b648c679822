import type { MediaVariant } from '#server/features/media/media.rules.ts'
import { type AddressedVariant, readPath, urlOf } from '#server/features/media/media-names.rules.ts'
import { ticketFor } from '#server/features/media/media-tickets.service.ts'
import { relate } from '#test/factories.ts'
import { shareSound, uploadSound } from '#test/sounds.ts'
import {
  type Answer,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#test/test-server.ts'
import { SOUND_KINDS, type SoundKind, type SoundViewer } from './sound-table.ts'

export const SOUND_REVEAL = new Date('2026-11-22T09:00:00.000Z')

export interface SoundItem {
  kind: SoundKind
  id: string
  mediaId: string
  /** As its upload named it. */
  path: string
  description: string
  /** Like it, to be deleted: one for each state. */
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

/** One server with everybody of the table and a sound of each kind, wholly prepared. */
export interface SoundStage {
  server: TestApp
  items: readonly SoundItem[]
  /** One request of this viewer, tied to the author as the table says. */
  call(viewer: SoundViewer, method: string, url: string, body?: object): Promise<Answer>
  hasAccount(viewer: SoundViewer): boolean
  /** The address of a variant, with a ticket made for this viewer: only the gate stands in between. */
  addressOf(viewer: SoundViewer, mediaId: string, variant: AddressedVariant): string
}

export async function setSoundStage(): Promise<SoundStage> {
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
  const items: SoundItem[] = []
  for (const kind of SOUND_KINDS) {
    const recipient = recipients[kind]
    items.push(await sealItem(server, author, kind, recipient && cast[recipient].id))
  }
  await server.runJobs()

  function accountOf(viewer: SoundViewer): Account | undefined {
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

  /** The friend who is a recipient stands to the author as the viewer’s name says. */
  async function standAs(viewer: SoundViewer): Promise<void> {
    const recipient = cast['friend recipient']
    if (accountOf(viewer) !== recipient) return
    const isBlocked = viewer === 'recipient who is blocked'
    const url = `/api/relationships/blocks/${recipient.id}`
    await server.call(isBlocked ? 'PUT' : 'DELETE', url, { as: author })
    if (viewer === 'recipient who is a friend') await relate(server, author, recipient, 'friend')
    if (viewer === 'recipient no longer related') await endTie(server, author, recipient)
  }

  return {
    server,
    items,
    async call(viewer, method, url, body) {
      await standAs(viewer)
      return server.call(method, url, { as: accountOf(viewer), body })
    },
    hasAccount: (viewer) => accountOf(viewer) !== undefined,
    addressOf(viewer, mediaId, variant) {
      const account = accountOf(viewer)
      const holder = account ? `session:${account.sessionId}` : 'visitor'
      const file = { id: mediaId, kind: 'audio', extension: 'webm' } as const
      const ticket = ticketFor(ctx, mediaId, variant satisfies MediaVariant, holder)
      return `${urlOf(file, variant)}?token=${ticket}`
    },
  }
}

async function openAccount(server: TestApp): Promise<Account> {
  const person = await signedIn(server)
  const { body } = await server.call('GET', '/api/auth/sessions', { as: person })
  return { ...person, sessionId: body.sessions[0].id }
}

async function endTie(server: TestApp, author: Person, other: Person): Promise<void> {
  const { body } = await server.call('GET', '/api/relationships', { as: author })
  for (const { id, related_user: related } of body.relationships) {
    if (related.id === other.id)
      await server.call('DELETE', `/api/relationships/${id}`, { as: author })
  }
}

async function sealItem(
  server: TestApp,
  author: Person,
  kind: SoundKind,
  recipientId: string | null,
): Promise<SoundItem> {
  const description = `Ce que dit la voix ${kind}.`
  const sealed: { id: string; url: string }[] = []
  for (const mark of ['', '1', '2', '3']) {
    const url = await uploadSound(server, author, { name: `secret-${kind}.webm` })
    const { id } = await shareSound(server, author, {
      title: `La voix ${kind}${mark}`,
      description,
      file_url: url,
      recipient_id: recipientId,
      reveal_date: SOUND_REVEAL.toISOString(),
      reveal_message: 'Patience…',
    })
    sealed.push({ id, url })
  }
  const [first = { id: '', url: '' }, ...spares] = sealed
  const { mediaId = '', path = '' } = readPath(first.url) ?? {}
  return { kind, id: first.id, mediaId, path, description, spares: spares.map(({ id }) => id) }
}
