import { randomUUID } from 'node:crypto'
import type { AddressedVariant } from '#server/features/media/file-names.rules.ts'
import { travelTo } from '#testing/factories.ts'
import type { Answer } from '#testing/test-server.ts'
import type { Cells, Expected } from './cells.ts'
import { checkShape } from './revelation-checks.ts'
import { type Item, REVEAL, type StageFile, type StageFileName } from './stage.ts'
import { ADDRESSEES, expectedView, isBlocked, isListed, RECEIVERS, type Viewer } from './table.ts'

const FILE_CELLS: [file: StageFileName, variant: AddressedVariant][] = [
  ['video', 'original'],
  ['video', 'mobile'],
  ['video', 'teaser'],
  ['video', 'thumbnail_complete'],
  ['video', 'thumbnail_teaser'],
  ['audio', 'original'],
  ['audio', 'audio'],
  ['picture', 'original'],
  ['picture', 'copy'],
  ['picture', 'image'],
  ['picture', 'thumbnail_complete'],
  ['voice', 'original'],
  ['voice', 'audio'],
  ['second', 'original'],
  ['pictured', 'original'],
  ['pictured', 'copy'],
  ['thirtieth', 'audio'],
  ['moved', 'teaser'],
  ['moved', 'mobile'],
]

export async function checkFiles(
  cells: Cells,
  viewer: Viewer,
  item: Item,
  kind: StageFileName,
): Promise<void> {
  const file = cells.stage.files[kind]
  const view = expectedView(viewer, cells.subjectOf(item))
  const nowhere: StageFile = { ...file, id: randomUUID() }
  for (const [, variant] of FILE_CELLS.filter(([of]) => of === kind)) {
    const isEnvelope = variant === 'teaser' || variant === 'thumbnail_teaser'
    // The teaser of a film that is not the first file is nobody’s.
    const isShown = kind !== 'moved' && view !== 'nothing'
    // What was sent of a picture is its author’s alone.
    const isAuthors = file.kind === 'image' && variant === 'original'
    const isRead = view === 'letter' && (!isAuthors || viewer === 'author')
    const isAllowed = isEnvelope ? isShown : isRead
    await cells.checkAnswer(item, isAllowed ? 200 : 'as unknown', {
      viewer,
      name: `${kind} ${variant}`,
      statusOfUnknown: 404,
      call: (isThere) => {
        const address = cells.stage.addressOf(viewer, item, isThere ? file : nowhere, variant)
        return cells.stage.call(viewer, item, 'GET', address)
      },
    })
  }
  if (kind === 'video') await checkOwnVideo(cells, viewer, item)
}

/** The one address of a file that contains the revelation’s id; for its author alone. */
function checkOwnVideo(cells: Cells, viewer: Viewer, item: Item): Promise<Answer> {
  const isSeen = expectedView(viewer, cells.subjectOf(item)) !== 'nothing'
  const refused: Expected = cells.stage.hasAccount(viewer) && isSeen ? 403 : 'as unknown'
  return cells.checkAnswer(item, viewer === 'author' ? 200 : refused, {
    viewer,
    name: 'video-stream-edit',
    statusOfUnknown: cells.stage.hasAccount(viewer) ? 404 : 403,
    call: (isThere) => {
      const id = isThere ? item.id : randomUUID()
      return cells.stage.call(viewer, item, 'GET', `/api/revelations/video-stream-edit/${id}`)
    },
  })
}

export async function checkJobs(cells: Cells, viewer: Viewer, item: Item): Promise<void> {
  const isAuthor = viewer === 'author'
  const statusOfUnknown = cells.stage.hasAccount(viewer) ? 404 : 401
  for (const { kind, jobId } of new Set(Object.values(cells.stage.files))) {
    await cells.checkAnswer(item, isAuthor ? 200 : 'as unknown', {
      viewer,
      name: `${kind} job`,
      statusOfUnknown,
      call: (isThere) =>
        cells.stage.call(viewer, item, 'GET', `/api/jobs/status/${isThere ? jobId : randomUUID()}`),
    })
    const batch = { jobIds: [jobId] }
    const { body } = await cells.stage.call(viewer, item, 'POST', '/api/jobs/batch-status', batch)
    const status = body.results?.[0].status ?? body.code
    const nothing = statusOfUnknown === 404 ? 'not_found' : 'unauthenticated'
    cells.check(
      `${viewer}, ${kind} job among others`,
      status === (isAuthor ? 'completed' : nothing),
      status,
    )
  }
}

/** Which items a list shows, and in which shape; `isFound` narrows the items that could be found. */
export async function checkList(
  cells: Cells,
  viewer: Viewer,
  scope: Parameters<typeof isListed>[2],
  path: string,
  isFound: (item: Item) => boolean = () => true,
): Promise<void> {
  const { body } = await cells.stage.call(viewer, cells.stage.items[0] as Item, 'GET', path)
  for (const item of cells.stage.items) {
    const cell = `${viewer}, ${item.code}, ${path}`
    const shown = body.revelations.find(({ id }: { id: string }) => id === item.id)
    const expected = isListed(viewer, cells.subjectOf(item), scope) && isFound(item)
    cells.check(cell, (shown !== undefined) === expected, shown ? 'shown' : 'not shown')
    if (shown)
      checkShape(cells, cell, viewer === 'bearer of the key' ? 'visitor' : viewer, item, shown)
  }
}

/** What is received: nothing of a surprise, nothing hidden, and nothing by an address that is not proved or a dead link. */
export async function checkReceived(cells: Cells, viewer: Viewer): Promise<void> {
  const [first] = cells.stage.items as [Item]
  const path = '/api/revelations/received?limit=100'
  const { status, body } = await cells.stage.call(viewer, first, 'GET', path)
  const hasAccount = cells.stage.hasAccount(viewer)
  cells.check(`${viewer}, received`, status === (hasAccount ? 200 : 401), status)
  for (const item of cells.stage.items) {
    const cell = `${viewer}, ${item.code}, received`
    const subject = cells.subjectOf(item)
    const isKnown = expectedView(viewer, subject) !== 'nothing'
    const isReceived =
      isKnown && RECEIVERS.includes(viewer) && (subject.isRevealed || item.isNotified)
    const shown = body.revelations?.find(({ id }: { id: string }) => id === item.id)
    cells.check(cell, (shown !== undefined) === isReceived, shown ? 'shown' : 'not shown')
    if (!shown) continue
    const states = subject.isRevealed ? ['waiting', 'opened'] : ['upcoming']
    cells.check(`${cell}, state`, states.includes(shown.received.state), shown.received.state)
    checkShape(cells, cell, viewer, item, shown)
  }
  const { counts = { waiting: 0, opened: 0 } } = body
  const early = cells.stage.server.clock.now < REVEAL ? counts.waiting + counts.opened : 0
  cells.check(`${viewer}, received too early`, early === 0, early)
}

/** A year later: its author is reminded of what opened, its addressee of what they opened, and nobody else of anything. */
export async function checkAnniversaries(cells: Cells, viewer: Viewer): Promise<void> {
  const { server, items, call, hasAccount } = cells.stage
  const wasRevealed = server.clock.now >= REVEAL
  const { now } = server.clock
  await travelTo(server, '2027-11-22T12:00:00.000Z')
  const path = '/api/revelations/anniversaries'
  const { status, body } = await call(viewer, items[0] as Item, 'GET', path)
  await travelTo(server, now)
  cells.check(`${viewer}, this day`, status === (hasAccount(viewer) ? 200 : 401), status)
  const shown: { side: string; revelation: { id: string } }[] = body.anniversaries ?? []
  if (viewer === 'author') {
    const isRight = shown.length > 0 && shown.every(({ side }) => side === 'sent')
    return cells.check('author, this day, all of it', isRight, shown.length)
  }
  for (const item of items) {
    const isOpened = wasRevealed && RECEIVERS.includes(viewer) && !cells.isHidden
    const found = shown.find(({ revelation }) => revelation.id === item.id)
    cells.check(
      `${viewer}, ${item.code}, this day`,
      found?.side === (isOpened ? 'received' : undefined),
      found,
    )
  }
}

/** Whoever may not see a revelation learns nothing of it here; whom it is for finds it from its instant on. */
export async function checkNotifications(cells: Cells, viewer: Viewer): Promise<void> {
  const first = cells.stage.items[0] as Item
  const answer = await cells.stage.call(viewer, first, 'GET', '/api/notifications?limit=100')
  const status = cells.stage.hasAccount(viewer) ? 200 : 401
  cells.check(`${viewer}, notifications`, answer.status === status, answer.status)
  if (answer.status !== 200) return
  for (const item of cells.stage.items) {
    const view = expectedView(viewer, cells.subjectOf(item))
    const shown = answer.body.notifications.filter(
      (one: { revelation_id: string }) => one.revelation_id === item.id,
    )
    const cell = `${viewer}, ${item.code}, notifications`
    const isHidden = cells.isHidden || view === 'nothing'
    cells.check(`${cell}, none`, !isHidden || shown.length === 0, shown.length)
    const isQuoted = JSON.stringify(answer.body).includes(`titre ${item.code}`)
    cells.check(`${cell}, title`, !(isHidden && isQuoted), isQuoted)
    const isWaiting = shown.some(({ kind }: { kind: string }) => kind === 'letter_waiting')
    const isTheirs = ADDRESSEES.includes(viewer) && view === 'letter'
    cells.check(`${cell}, waiting`, isWaiting === isTheirs, isWaiting)
  }
}

/** The figures of the author count the revelations that the viewer may see; a blocked viewer finds nobody. */
export async function checkProfile(cells: Cells, viewer: Viewer): Promise<void> {
  const [item] = cells.stage.items as [Item]
  const { ctx } = cells.stage.server
  const answer = await cells.checkAnswer(item, isBlocked(viewer) ? 'as unknown' : 200, {
    viewer,
    name: 'profile',
    statusOfUnknown: 404,
    call: (isThere) => {
      const id = isThere ? cells.stage.author.id : randomUUID()
      return cells.stage.call(viewer, item, 'GET', `/api/auth/user/${id}`)
    },
  })
  const sealed = await ctx.db.selectFrom('revelations').select(['visibility', 'revealAt']).execute()
  const counted = sealed.filter(
    ({ visibility, revealAt }) =>
      viewer === 'author' || (visibility === 'public' && revealAt <= ctx.now()),
  )
  const total = answer.body.stats?.total_revelations
  const expected = isBlocked(viewer) ? undefined : counted.length
  cells.check(`${viewer}, figures`, total === expected, total)
  const q = encodeURIComponent(cells.stage.author.pseudo)
  const { body } = await cells.stage.call(viewer, item, 'GET', `/api/auth/search?q=${q}`)
  const isFound = body.users.some(({ id }: { id: string }) => id === cells.stage.author.id)
  cells.check(`${viewer}, search`, isFound === !(isBlocked(viewer) || viewer === 'author'), isFound)
}
