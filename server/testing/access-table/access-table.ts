import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SORTS, VISIBILITIES } from '#contract/revelations.ts'
import type { AddressedVariant } from '#server/features/media/media-names.rules.ts'
import { catchUp } from '#testing/event-page.ts'
import { A_DAY_MS } from '#testing/factories.ts'
import type { Answer } from '#testing/test-server.ts'
import { type Item, openStage, REVEAL, type Stage, type StageFile } from './stage.ts'
import { expectedView, isBlocked, isListed, type Subject, VIEWERS, type Viewer } from './table.ts'

const LETTER_KEYS = [
  ...['content', 'file_url', 'file_mobile_url', 'file_name', 'file_size', 'duration'],
  'thumbnail_complete',
]
const OWN_KEYS = [
  ...['video_edit_url', 'processing_status', 'processing_progress', 'processing_error', 'delivery'],
  'failed_jobs',
]

const FILE_CELLS: [file: 'video' | 'audio', variant: AddressedVariant][] = [
  ['video', 'original'],
  ['video', 'mobile'],
  ['video', 'teaser'],
  ['video', 'thumbnail_complete'],
  ['video', 'thumbnail_teaser'],
  ['audio', 'original'],
  ['audio', 'audio'],
]

/** The states on which every answer depends. */
export const STATES = {
  'a millisecond before the instant': { offsetMs: -1, isHidden: false },
  'a millisecond before the instant, hidden': { offsetMs: -1, isHidden: true },
  'at the very instant, shown again': { offsetMs: 0, isHidden: false },
  'a day after the instant': { offsetMs: A_DAY_MS, isHidden: false },
  'a day after the instant, hidden': { offsetMs: A_DAY_MS, isHidden: true },
}
type State = keyof typeof STATES

let stage: Stage
/** The answers about missing things, by viewer and door. */
const unknowns = new Map<string, Answer>()
let isHidden = false
let cells = 0
let wrong: string[] = []

function check(cell: string, isRight: boolean, seen: unknown): void {
  cells += 1
  if (!isRight) wrong.push(`${cell}: ${seen}`)
}

function expectAllRight(): void {
  const found = wrong
  wrong = []
  expect(found).toEqual([])
}

function subjectOf({ visibility, isNotified }: Item): Subject {
  const isRevealed = stage.server.clock.now >= REVEAL
  return { visibility: isHidden ? 'private' : visibility, isNotified, isRevealed, isHidden }
}

/** The whole of an answer, but for the date of the wall clock. */
function wholeOf({ status, headers, text }: Answer): string {
  const fixed = Object.entries(headers).filter(([name]) => name !== 'date')
  return JSON.stringify([status, fixed, text])
}

type Expected = number | 'as unknown'

interface Door {
  viewer: Viewer
  name: string
  /** The status for a missing id. */
  statusOfUnknown: number
  call(isThere: boolean): Promise<Answer>
}

/** Calls for an existing thing and for a missing one: without a right, both answers are equal. */
async function checkAnswer(item: Item, expected: Expected, door: Door): Promise<Answer> {
  const { viewer, name, statusOfUnknown, call } = door
  const cell = `${viewer}, ${item.code}, ${name}`
  const answer = await call(true)
  if (expected !== 'as unknown') {
    check(cell, answer.status === expected, answer.status)
    return answer
  }
  const key = `${viewer}, ${name}`
  const unknown = unknowns.get(key) ?? (await call(false))
  unknowns.set(key, unknown)
  const isSame = unknown.status === statusOfUnknown && wholeOf(answer) === wholeOf(unknown)
  check(cell, isSame, `${answer.status} ${answer.text}`)
  return answer
}

/** The keys of the letter are present or absent, whatever their values. */
function checkShape(
  cell: string,
  viewer: Viewer,
  item: Item,
  shown: Record<string, unknown>,
): void {
  const subject = subjectOf(item)
  const canRead = expectedView(viewer, subject) === 'letter'
  const has = (keys: readonly string[]) => keys.filter((key) => Object.hasOwn(shown, key)).join()
  const letterKeys = canRead ? LETTER_KEYS.join() : ''
  const ownKeys = viewer === 'author' ? OWN_KEYS.join() : ''
  check(`${cell}, letter keys`, has(LETTER_KEYS) === letterKeys, has(LETTER_KEYS))
  check(`${cell}, own keys`, has(OWN_KEYS) === ownKeys, has(OWN_KEYS))
  check(`${cell}, is_revealed`, shown.is_revealed === subject.isRevealed, shown.is_revealed)
  const content = canRead ? `La lettre dit ${item.code}.` : undefined
  check(`${cell}, content`, shown.content === content, shown.content)
}

/** Every call about one revelation; those of its author that change or delete use a spare. */
async function checkRevelation(viewer: Viewer, item: Item, spare: string): Promise<void> {
  const isAuthor = viewer === 'author'
  const subject = subjectOf(item)
  const isSeen = expectedView(viewer, subject) !== 'nothing'
  const unknown = randomUUID()
  function door(id: string, method: string, path = '', body?: object): Door {
    return {
      viewer,
      name: `${method} ${path}`,
      statusOfUnknown: isChange(method, path) && !stage.hasAccount(viewer) ? 401 : 404,
      call: (isThere) => {
        const url = `/api/revelations/${isThere ? id : unknown}${path}`
        return stage.call(viewer, item, method, url, body)
      },
    }
  }
  const seen = isSeen ? 200 : 'as unknown'
  const detail = await checkAnswer(item, seen, door(item.id, 'GET'))
  if (detail.status === 200) checkDetail(viewer, item, detail.body.revelation)
  await checkAnswer(item, seen, door(item.id, 'POST', '/view'))
  const proof = await checkAnswer(item, seen, door(item.id, 'GET', '/proof'))
  if (proof.status === 200) {
    const isOpen = proof.body.opening !== null
    const canRead = expectedView(viewer, subject) === 'letter'
    check(`${viewer}, ${item.code}, what opens the seal`, isOpen === canRead, isOpen)
  }

  await checkPicture(viewer, item)

  const mine = isAuthor ? spare : item.id
  const refused: Expected = stage.hasAccount(viewer) && isSeen ? 403 : 'as unknown'
  const shown = subject.isRevealed ? 409 : 200
  const edited = isHidden ? 403 : shown
  const edit = { content: 'Une autre lettre, assez longue.' }
  await checkAnswer(item, isAuthor ? edited : refused, door(mine, 'PUT', '', edit))
  await checkAnswer(item, isAuthor ? 200 : refused, {
    ...door(mine, 'PUT'),
    name: 'notify',
    call: (isThere) => {
      const body = { revelationId: isThere ? mine : unknown }
      return stage.call(viewer, item, 'POST', '/api/email/notify-revelation', body)
    },
  })
  await checkAnswer(item, isAuthor ? 200 : refused, door(mine, 'DELETE'))
}

/** To every viewer, the picture of a preview shows the view of a visitor, or equals that of a missing revelation. */
async function checkPicture(viewer: Viewer, item: Item): Promise<void> {
  const pictureOf = (id: string) => stage.call(viewer, item, 'GET', `/apercu/${id}.png`)
  const [picture, unknown] = [await pictureOf(item.id), await pictureOf(randomUUID())]
  const isOfIt = picture.status === 200 && wholeOf(picture) !== wholeOf(unknown)
  const isPublic = expectedView('visitor', subjectOf(item)) !== 'nothing'
  check(`${viewer}, ${item.code}, picture`, isOfIt === isPublic, picture.status)
}

/** Every call about reactions, votes and comments; `round` distinguishes the comments of each state. */
async function checkDiscussion(viewer: Viewer, item: Item, round: number): Promise<void> {
  const isSeen = expectedView(viewer, subjectOf(item)) !== 'nothing'
  const hasAccount = stage.hasAccount(viewer)
  const comment = { as: stage.author, body: { revelation_id: item.id, content: `Tour ${round}` } }
  const theirs = await stage.server.call('POST', '/api/comments', comment)
  function door(method: string, path: (id: string) => string, body?: (id: string) => object): Door {
    return {
      viewer,
      name: `${method} ${path('')}`,
      statusOfUnknown: method === 'GET' || hasAccount ? 404 : 401,
      call: (isThere) => {
        const id = isThere ? item.id : randomUUID()
        return stage.call(viewer, item, method, path(id), body?.(id))
      },
    }
  }
  const seen = isSeen ? 200 : 'as unknown'
  const canAct = isSeen && hasAccount
  for (const left of ['reactions', 'comments']) {
    await checkAnswer(
      item,
      seen,
      door('GET', (id) => `/api/${left}/${id}`),
    )
  }
  const reacting = door(
    'POST',
    () => '/api/reactions',
    (id) => ({ revelation_id: id, emoji: '🎉' }),
  )
  await checkAnswer(item, canAct ? 200 : 'as unknown', reacting)
  const back = door('DELETE', (id) => `/api/reactions/${id}`)
  await checkAnswer(item, canAct ? 200 : 'as unknown', back)
  // Votes are for letters that everybody can read, and never for one's own.
  const isPublic = !isHidden && item.visibility === 'public' && subjectOf(item).isRevealed
  const vote = { outcome: 'partly' }
  const voting = door(
    'PUT',
    (id) => `/api/revelations/${id}/vote`,
    () => vote,
  )
  const judged = isPublic ? (viewer === 'author' ? 403 : 200) : 409
  await checkAnswer(item, canAct ? judged : 'as unknown', voting)
  const unvoting = door('DELETE', (id) => `/api/revelations/${id}/vote`)
  await checkAnswer(item, canAct ? judged : 'as unknown', unvoting)
  const declaring = door(
    'PUT',
    (id) => `/api/revelations/${id}/outcome`,
    () => vote,
  )
  const declared = viewer === 'author' ? (isPublic ? 200 : 409) : 403
  await checkAnswer(item, canAct ? declared : 'as unknown', declaring)
  const content = `${viewer} ${round}`
  const commenting = door(
    'POST',
    () => '/api/comments',
    (id) => ({ revelation_id: id, content }),
  )
  await checkAnswer(item, canAct ? 201 : 'as unknown', commenting)
  // A blocked viewer does not even see the comments.
  const refused = canAct && !isBlocked(viewer) ? 403 : 'as unknown'
  await checkAnswer(item, viewer === 'author' ? 200 : refused, {
    ...door('DELETE', (id) => `/api/comments/${id}`),
    call: (isThere) => {
      const id = isThere ? theirs.body.id : randomUUID()
      return stage.call(viewer, item, 'DELETE', `/api/comments/${id}`)
    },
  })
}

/** An open page receives the event of a comment exactly where its viewer sees the envelope. */
async function checkEvents(viewer: Viewer, round: number): Promise<void> {
  const page = await stage.openPage(viewer)
  for (const { id } of stage.items) {
    const body = { revelation_id: id, content: `Pour ${viewer}, tour ${round}` }
    await stage.server.call('POST', '/api/comments', { as: stage.author, body })
  }
  await catchUp(stage.server.ctx, page, page.userId)
  page.leave()
  for (const item of stage.items) {
    const isReceived = page.events.some(
      ({ data }) => data.id === item.id && data.changed?.includes('comments'),
    )
    const isSeen = expectedView(viewer, subjectOf(item)) !== 'nothing'
    check(`${viewer}, ${item.code}, events`, isReceived === isSeen, isReceived)
  }
}

function isChange(method: string, path: string): boolean {
  return method !== 'GET' && path !== '/view'
}

function checkDetail(viewer: Viewer, item: Item, revelation: Record<string, unknown>): void {
  const cell = `${viewer}, ${item.code}`
  checkShape(`${cell}, detail`, viewer, item, revelation)
  const { react, comment } = revelation.can as Record<string, boolean>
  const canAct = stage.hasAccount(viewer)
  check(`${cell}, can`, react === canAct && comment === canAct, [react, comment])
  const isWhole = !String(revelation.target_email).includes('•')
  const isTheirs = [
    'author',
    'recipient',
    'recipient who is blocked',
    'bearer of the key',
  ].includes(viewer)
  check(`${cell}, target_email`, isWhole === isTheirs, revelation.target_email)
}

async function checkFiles(viewer: Viewer, item: Item, kind: 'video' | 'audio'): Promise<void> {
  const file = stage.files[kind]
  const view = expectedView(viewer, subjectOf(item))
  const nowhere: StageFile = { ...file, id: randomUUID() }
  for (const [, variant] of FILE_CELLS.filter(([of]) => of === kind)) {
    const isEnvelope = variant === 'teaser' || variant === 'thumbnail_teaser'
    const isAllowed = isEnvelope ? view !== 'nothing' : view === 'letter'
    await checkAnswer(item, isAllowed ? 200 : 'as unknown', {
      viewer,
      name: `${kind} ${variant}`,
      statusOfUnknown: 404,
      call: (isThere) => {
        const address = stage.addressOf(viewer, item, isThere ? file : nowhere, variant)
        return stage.call(viewer, item, 'GET', address)
      },
    })
  }
  if (kind === 'video') await checkOwnVideo(viewer, item)
}

/** The one address of a file that contains the revelation’s id; for its author alone. */
function checkOwnVideo(viewer: Viewer, item: Item): Promise<Answer> {
  const isSeen = expectedView(viewer, subjectOf(item)) !== 'nothing'
  const refused: Expected = stage.hasAccount(viewer) && isSeen ? 403 : 'as unknown'
  return checkAnswer(item, viewer === 'author' ? 200 : refused, {
    viewer,
    name: 'video-stream-edit',
    statusOfUnknown: stage.hasAccount(viewer) ? 404 : 403,
    call: (isThere) => {
      const id = isThere ? item.id : randomUUID()
      return stage.call(viewer, item, 'GET', `/api/revelations/video-stream-edit/${id}`)
    },
  })
}

async function checkJobs(viewer: Viewer, item: Item): Promise<void> {
  const isAuthor = viewer === 'author'
  const statusOfUnknown = stage.hasAccount(viewer) ? 404 : 401
  for (const { kind, jobId } of Object.values(stage.files)) {
    await checkAnswer(item, isAuthor ? 200 : 'as unknown', {
      viewer,
      name: `${kind} job`,
      statusOfUnknown,
      call: (isThere) =>
        stage.call(viewer, item, 'GET', `/api/jobs/status/${isThere ? jobId : randomUUID()}`),
    })
    const batch = { jobIds: [jobId] }
    const { body } = await stage.call(viewer, item, 'POST', '/api/jobs/batch-status', batch)
    const status = body.results?.[0].status ?? body.code
    const nothing = statusOfUnknown === 404 ? 'not_found' : 'unauthenticated'
    check(
      `${viewer}, ${kind} job among others`,
      status === (isAuthor ? 'completed' : nothing),
      status,
    )
  }
}

/** Which items a list shows, and in which shape; `isFound` narrows the items that could be found. */
async function checkList(
  viewer: Viewer,
  scope: Parameters<typeof isListed>[2],
  path: string,
  isFound: (item: Item) => boolean = () => true,
): Promise<void> {
  const { body } = await stage.call(viewer, stage.items[0] as Item, 'GET', path)
  for (const item of stage.items) {
    const cell = `${viewer}, ${item.code}, ${path}`
    const shown = body.revelations.find(({ id }: { id: string }) => id === item.id)
    const expected = isListed(viewer, subjectOf(item), scope) && isFound(item)
    check(cell, (shown !== undefined) === expected, shown ? 'shown' : 'not shown')
    if (shown) checkShape(cell, viewer === 'bearer of the key' ? 'visitor' : viewer, item, shown)
  }
}

/** The figures of the author count the revelations that the viewer may see; a blocked viewer finds nobody. */
async function checkProfile(viewer: Viewer): Promise<void> {
  const [item] = stage.items as [Item]
  const { ctx } = stage.server
  const answer = await checkAnswer(item, isBlocked(viewer) ? 'as unknown' : 200, {
    viewer,
    name: 'profile',
    statusOfUnknown: 404,
    call: (isThere) => {
      const id = isThere ? stage.author.id : randomUUID()
      return stage.call(viewer, item, 'GET', `/api/auth/user/${id}`)
    },
  })
  const sealed = await ctx.db.selectFrom('revelations').select(['visibility', 'revealAt']).execute()
  const counted = sealed.filter(
    ({ visibility, revealAt }) =>
      viewer === 'author' || (visibility === 'public' && revealAt <= ctx.now()),
  )
  const total = answer.body.stats?.total_revelations
  const expected = isBlocked(viewer) ? undefined : counted.length
  check(`${viewer}, figures`, total === expected, total)
  const q = encodeURIComponent(stage.author.pseudo)
  const { body } = await stage.call(viewer, item, 'GET', `/api/auth/search?q=${q}`)
  const isFound = body.users.some(({ id }: { id: string }) => id === stage.author.id)
  check(`${viewer}, search`, isFound === !(isBlocked(viewer) || viewer === 'author'), isFound)
}

/** Tests every call for every viewer, in each of these states, in the order of time. */
export function describeAccessTable(states: readonly State[]): void {
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(async () => {
    console.info(`access table: ${cells} cells`)
    await stage.server.close()
  })
  describe.each(states)('%s', (state) => describeState(state, states.indexOf(state)))
}

function describeState(state: State, spareIndex: number): void {
  beforeAll(async () => {
    const { offsetMs } = STATES[state]
    isHidden = STATES[state].isHidden
    await stage.setHidden(isHidden)
    stage.server.clock.now = new Date(REVEAL.getTime() + offsetMs)
    unknowns.clear()
  })

  it.each(VIEWERS)('a revelation and %s', async (viewer) => {
    for (const item of stage.items) {
      await checkRevelation(viewer, item, item.spares[spareIndex] ?? '')
    }
    expectAllRight()
  })

  it.each(VIEWERS)('what is said under a revelation and %s', async (viewer) => {
    for (const item of stage.items) await checkDiscussion(viewer, item, spareIndex)
    if (stage.hasAccount(viewer)) await checkEvents(viewer, spareIndex)
    expectAllRight()
  })

  it.each(['video', 'audio'] as const)('the variants of a %s and everybody', async (kind) => {
    for (const item of stage.items) {
      await stage.attachFile(item, stage.files[kind])
      for (const viewer of VIEWERS) await checkFiles(viewer, item, kind)
    }
    expectAllRight()
  })

  it.each(VIEWERS)('the making of a file and %s', async (viewer) => {
    await checkJobs(viewer, stage.items[0] as Item)
    expectAllRight()
  })

  it.each(VIEWERS)('the profile of the author and %s', async (viewer) => {
    await checkProfile(viewer)
    expectAllRight()
  })

  it.each(VIEWERS)('lists, once the worker ran, and %s', async (viewer) => {
    await stage.server.runJobs()
    await checkList(viewer, 'home', '/api/revelations?limit=100')
    for (const sort of SORTS) {
      await checkList(viewer, 'home', `/api/revelations?limit=100&sort=${sort}`)
    }
    for (const visibility of VISIBILITIES) {
      const path = `/api/revelations?limit=100&visibility=${visibility}`
      await checkList(viewer, visibility, path)
    }
    const profile = `/api/revelations/user/${stage.author.id}?limit=100`
    await checkList(viewer, 'profile', profile)
    // Hidden is private for every list, so two items suffice here.
    for (const item of isHidden ? stage.items.slice(0, 2) : stage.items) {
      const isIt = ({ id }: Item) => id === item.id
      const canRead = expectedView(
        viewer === 'bearer of the key' ? 'visitor' : viewer,
        subjectOf(item),
      )
      for (const [words, isFound] of [
        [`titre ${item.code}`, isIt],
        [`dit ${item.code}`, (one: Item) => isIt(one) && canRead === 'letter'],
      ] as const) {
        const q = encodeURIComponent(words)
        const narrowed = `/api/revelations?visibility=${item.visibility}&q=${q}`
        await checkList(viewer, 'home', `/api/revelations?q=${q}`, isFound)
        await checkList(viewer, item.visibility, narrowed, isFound)
        await checkList(viewer, 'profile', `${profile}&q=${q}`, isFound)
      }
    }
    expectAllRight()
  })
}
