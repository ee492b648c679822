import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import type { Kind } from '#contract/kinds.ts'
import { type FileType, VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import { inTransaction } from '#server/context.ts'
import type { KeyHolder } from '#server/features/access/personal-keys.rules.ts'
import { personalKeyFor } from '#server/features/access/personal-keys.service.ts'
import { saveLetter } from '#server/features/access/saved-letters.service.ts'
import { findDeliveryFacts } from '#server/features/deliveries/deliveries.repository.ts'
import { type AddressedVariant, readPath, urlOf } from '#server/features/media/file-names.rules.ts'
import { createTicket } from '#server/features/media/file-serving.service.ts'
import {
  hideRevelation,
  restoreRevelation,
} from '#server/features/revelations/revelations.service.ts'
import { type EventPage, openPage } from '#testing/event-page.ts'
import { createRevelation, relate, verifyEmail } from '#testing/factories.ts'
import { colourVideo, toneAudio } from '#testing/media-files.ts'
import { photograph } from '#testing/photographs.ts'
import {
  type Answer,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { type FileToSend, uploadFile } from '#testing/uploads.ts'
import { isBlocked, type Viewer } from './table.ts'

export const REVEAL = new Date('2026-11-22T09:00:00.000Z')

export interface Item {
  id: string
  deliveryId: string
  visibility: Visibility
  isNotified: boolean
  kind: Kind
  /** A word of its title and of its letter. */
  code: string
  /** Equal ones, for calls that change or delete a revelation: one for each state. */
  spares: string[]
}

interface Account extends Person {
  sessionId: string
}

/** `voice`: of a seal. The last four are of albums: the second file, a picture, the thirtieth, and a film that is not the first. */
export const STAGE_FILES = [
  'video',
  'audio',
  'picture',
  'voice',
  'second',
  'pictured',
  'thirtieth',
  'moved',
] as const
export type StageFileName = (typeof STAGE_FILES)[number]

type SentFileName = 'video' | 'audio' | 'picture' | 'voice'

/** Which file is at which place of an album, from 0 on. */
const ALBUMS: Partial<Record<StageFileName, Record<number, SentFileName>>> = {
  second: { 0: 'video', 1: 'audio' },
  pictured: { 0: 'audio', 1: 'picture' },
  thirtieth: { 0: 'video', 1: 'audio', 29: 'voice' },
  moved: { 0: 'audio', 1: 'video' },
}

export interface StageFile {
  id: string
  kind: FileType
  extension: string
  jobId: string
}

/** As the author calls the recipients of each item. */
export const RECIPIENT_NAMES = ['Le premier', 'La seconde'] as const

const CAST = [
  'author',
  'stranger',
  'friend',
  'family',
  'recipient',
  'second recipient',
  'account that joined it',
  'account whose link was revoked',
  'blocked',
] as const

/** One server with every viewer of the table, an item of each kind, and a prepared video, sound and voice. */
export interface Stage {
  server: TestApp
  items: readonly Item[]
  files: Record<StageFileName, StageFile>
  /** One request of this viewer; as the bearer, with the personal key of the item. */
  call(viewer: Viewer, item: Item, method: string, url: string, body?: object): Promise<Answer>
  hasAccount(viewer: Viewer): boolean
  /** The ids of the accepted friends and family of this viewer. */
  relatedTo(viewer: Viewer): readonly string[]
  /** A page that watches all items. */
  openPage(viewer: Viewer): Promise<EventPage & { userId: string }>
  /** The address of a variant, with a ticket for this viewer, so that only the gate can refuse. */
  addressOf(viewer: Viewer, item: Item, file: StageFile, variant: AddressedVariant): string
  /** Hides every revelation, or restores all of them. */
  setHidden(isHidden: boolean): Promise<void>
  /** Attaches the file to the item, and to no other. */
  attachFile(item: Item, name: StageFileName): Promise<void>
  author: Person
}

export async function openStage(): Promise<Stage> {
  const server = await startTestServer()
  const accounts = Object.fromEntries(
    await Promise.all(CAST.map(async (name) => [name, await openAccount(server)])),
  ) as Record<(typeof CAST)[number], Account>
  const { author, friend, family, recipient, blocked } = accounts
  await relate(server, author, friend, 'friend')
  await relate(server, author, family, 'family')
  await setBlock(server, author, blocked, true)
  await verifyEmail(server, accounts['second recipient'])
  const { ctx } = server
  await ctx.db
    .insertInto('subscriptions')
    .values({ userId: author.id, plan: 'unlimited' })
    .execute()

  function accountOf(viewer: Viewer): Account | undefined {
    if (viewer === 'visitor' || viewer === 'bearer of the key') return undefined
    if (viewer === 'recipient not verified' || viewer === 'recipient who is blocked') {
      return recipient
    }
    return accounts[viewer]
  }

  let recipientIs: Viewer | undefined

  /** The account of the recipient is three viewers, one after the other. */
  async function become(viewer: Viewer): Promise<void> {
    if (accountOf(viewer) !== recipient || viewer === recipientIs) return
    if (viewer === 'recipient not verified') await removeVerification(server, recipient)
    else await verifyEmail(server, recipient)
    await setBlock(server, author, recipient, isBlocked(viewer))
    recipientIs = viewer
  }

  async function call(viewer: Viewer, item: Item, method: string, url: string, body?: object) {
    await become(viewer)
    const isBearer = viewer === 'bearer of the key'
    const key = personalKeyFor(ctx, item.deliveryId)
    return server.call(method, url, {
      as: accountOf(viewer),
      headers: isBearer ? { [DELIVERY_KEY_HEADER]: key } : {},
      body,
    })
  }

  function holderOf(viewer: Viewer, item: Item): string {
    if (viewer === 'bearer of the key') return `key:${item.deliveryId}`
    const account = accountOf(viewer)
    return account ? `session:${account.sessionId}` : 'visitor'
  }

  const origin = await server.listen()
  const items: Item[] = []
  for (const visibility of VISIBILITIES) {
    for (const isNotified of [true, false]) {
      items.push(await sealItem(server, accounts, visibility, isNotified))
    }
  }
  const video = await sendFile(server, author, 'video')
  const audio = await sendFile(server, author, 'audio')
  const voice = await sendFile(server, author, 'audio')
  const picture = await sendFile(server, author, 'image')
  await server.runJobs()
  const files = {
    ...{ video, audio, picture, voice },
    ...{ second: audio, pictured: picture, thirtieth: voice, moved: video },
  }
  return {
    server,
    items,
    files,
    call,
    hasAccount: (viewer) => accountOf(viewer) !== undefined,
    relatedTo(viewer) {
      if (viewer === 'author') return [friend.id, family.id]
      return viewer === 'friend' || viewer === 'family' ? [author.id] : []
    },
    async openPage(viewer) {
      const account = accountOf(viewer)
      if (!account) throw new Error(`${viewer} has no account`)
      const ids = items.map(({ id }) => id)
      // The first call sets the relation of this viewer to the author.
      await call(viewer, items[0] as Item, 'GET', `/api/revelations/${ids[0]}`)
      return { ...(await openPage(origin, account, ids)), userId: account.id }
    },
    addressOf: (viewer, item, file, variant) =>
      `${urlOf(file, variant)}?token=${createTicket(ctx, file.id, variant, holderOf(viewer, item))}`,
    setHidden: (isHidden) => setHidden(server, items, isHidden),
    attachFile: (item, name) => attachFile(server, item, name, files),
    author,
  }
}

async function openAccount(server: TestApp): Promise<Account> {
  const person = await signedIn(server)
  const { body } = await server.call('GET', '/api/auth/sessions', { as: person })
  return { ...person, sessionId: body.sessions[0].id }
}

async function setBlock(
  server: TestApp,
  author: Person,
  other: Person,
  isOn: boolean,
): Promise<void> {
  const url = `/api/relationships/blocks/${other.id}`
  await server.call(isOn ? 'PUT' : 'DELETE', url, { as: author })
}

async function removeVerification({ ctx }: TestApp, person: Person): Promise<void> {
  await ctx.db
    .updateTable('users')
    .set({ emailVerifiedAt: null })
    .where('id', '=', person.id)
    .execute()
}

async function sealItem(
  server: TestApp,
  {
    author,
    recipient,
    'second recipient': second,
    'account that joined it': joined,
    'account whose link was revoked': revoked,
  }: Record<(typeof CAST)[number], Person>,
  visibility: Visibility,
  isNotified: boolean,
): Promise<Item> {
  const code = `${visibility}${isNotified ? 'annonce' : 'surprise'}`
  // Of each audience one that is to be judged, and one that is not.
  const kind = isNotified ? 'prediction' : 'announcement'
  const ids: string[] = []
  for (const mark of ['', '1', '2', '3', '4', '5']) {
    const { id } = await createRevelation(server, author, {
      title: `Le titre ${code}${mark}`,
      content: `La lettre dit ${code}${mark}.`,
      target_email: recipient.email,
      recipients: [
        { email: recipient.email, name: RECIPIENT_NAMES[0] },
        { email: second.email, name: RECIPIENT_NAMES[1] },
      ],
      reveal_date: REVEAL.toISOString(),
      kind,
      visibility,
    })
    ids.push(id)
    const notify = { as: author, body: { revelationId: id } }
    if (isNotified) await server.call('POST', '/api/email/notify-revelation', notify)
  }
  const [id = '', ...spares] = ids
  const delivery = await findDeliveryFacts(server.ctx.db, { revelationId: id })
  const deliveryId = delivery?.id ?? ''
  await join(server, joined, { revelationId: id, deliveryId, keyVersion: 1 })
  // By a key before the one that lives.
  await join(server, revoked, { revelationId: id, deliveryId, keyVersion: 0 })
  return { id, deliveryId, visibility, isNotified, kind, code, spares }
}

async function join(
  { ctx }: TestApp,
  account: Person,
  delivery: Pick<KeyHolder, 'revelationId' | 'deliveryId' | 'keyVersion'>,
): Promise<void> {
  await saveLetter(ctx, { userId: account.id }, { ...delivery, isHanded: false })
}

async function setHidden(
  { ctx }: TestApp,
  items: readonly Item[],
  isHidden: boolean,
): Promise<void> {
  const change = isHidden ? hideRevelation : restoreRevelation
  for (const { id, spares } of items) {
    for (const one of [id, ...spares]) await inTransaction(ctx, (tx) => change(tx, one))
  }
}

async function sendFile(
  server: TestApp,
  author: Person,
  kind: 'video' | 'audio' | 'image',
): Promise<StageFile> {
  const sent = await uploadFile(server, author, await sampleOf(kind))
  const id = readPath(sent.path)?.mediaId ?? ''
  const { jobId } = sent.processing.jobs[0]
  return { id, kind, extension: sent.path.split('.').at(-1), jobId }
}

async function sampleOf(kind: 'video' | 'audio' | 'image'): Promise<FileToSend> {
  if (kind === 'audio') return { bytes: await toneAudio('mp3', 1) }
  if (kind === 'image') return { bytes: await photograph('photo.jpg') }
  return {
    bytes: await colourVideo({ seconds: 3, fps: 10, size: '64x36' }),
    fields: { teaserStart: '0', teaserEnd: '1' },
  }
}

async function attachFile(
  { ctx }: TestApp,
  item: Item,
  name: StageFileName,
  files: Record<StageFileName, StageFile>,
): Promise<void> {
  const { db } = ctx
  await db.updateTable('media').set({ attachedAt: ctx.now() }).execute()
  await db.deleteFrom('revelationFiles').execute()
  const nothing = { mediaId: null, isAlbum: false, fileType: null, sealVoiceId: null }
  await db.updateTable('revelations').set(nothing).execute()
  const album = ALBUMS[name]
  const first = files[album?.[0] ?? name]
  await db
    .updateTable('revelations')
    .set(
      name === 'voice'
        ? { sealVoiceId: first.id }
        : { mediaId: first.id, fileType: first.kind, isAlbum: album !== undefined },
    )
    .where('id', '=', item.id)
    .execute()
  for (const [position, file] of Object.entries(album ?? {})) {
    await db
      .insertInto('revelationFiles')
      .values({ revelationId: item.id, position: Number(position), mediaId: files[file].id })
      .execute()
  }
}
