import { randomUUID } from 'node:crypto'
import type { Presence } from '#contract/presence.ts'
import { catchUp } from '#testing/event-page.ts'
import { type Cells, type Door, type Expected, wholeOf } from './cells.ts'
import { type Item, RECIPIENT_NAMES } from './stage.ts'
import { expectedView, isBlocked, type Viewer, WRITERS } from './table.ts'

const LETTER_KEYS = [
  ...['content', 'file_url', 'file_is_sealed', 'file_mobile_url', 'file_name', 'file_size'],
  'duration',
  ...['thumbnail_complete', 'seal_voice_url', 'seal_voice_words', 'paper', 'ink'],
]
const OWN_KEYS = [
  ...['video_edit_url', 'processing_status', 'processing_progress', 'processing_error', 'delivery'],
  ...['failed_jobs', 'deliveries', 'recipients_see_each_other'],
]
/** On the page of their letter alone. */
const NOTE_KEYS = ['announcement_note', 'opening_note']

/** The keys of the letter are present or absent, whatever their values. */
export function checkShape(
  cells: Cells,
  cell: string,
  viewer: Viewer,
  item: Item,
  shown: Record<string, unknown>,
): void {
  const subject = cells.subjectOf(item)
  const canRead = expectedView(viewer, subject) === 'letter'
  const has = (keys: readonly string[]) => keys.filter((key) => Object.hasOwn(shown, key)).join()
  const letterKeys = canRead ? LETTER_KEYS.join() : ''
  const ownKeys = viewer === 'author' ? OWN_KEYS.join() : ''
  cells.check(`${cell}, letter keys`, has(LETTER_KEYS) === letterKeys, has(LETTER_KEYS))
  cells.check(`${cell}, own keys`, has(OWN_KEYS) === ownKeys, has(OWN_KEYS))
  cells.check(`${cell}, is_revealed`, shown.is_revealed === subject.isRevealed, shown.is_revealed)
  const content = canRead ? `La lettre dit ${item.code}.` : undefined
  cells.check(`${cell}, content`, shown.content === content, shown.content)
  const names = (shown.recipients as { name: string }[] | undefined)?.map(({ name }) => name)
  cells.check(`${cell}, recipients`, names?.join() === namesFor(viewer)?.join(), names)
}

/** Of the recipients, those that this viewer is told of: none learns of the other. */
function namesFor(viewer: Viewer): readonly string[] | undefined {
  const [first, second] = RECIPIENT_NAMES
  if (viewer === 'author') return RECIPIENT_NAMES
  if (viewer === 'second recipient') return [second]
  return WRITERS.includes(viewer) ? [first] : undefined
}

/** Every call about one revelation; those of its author that change or delete use a spare. */
export async function checkRevelation(
  cells: Cells,
  viewer: Viewer,
  item: Item,
  spare: string,
): Promise<void> {
  const isAuthor = viewer === 'author'
  const subject = cells.subjectOf(item)
  const isSeen = expectedView(viewer, subject) !== 'nothing'
  const unknown = randomUUID()
  function door(id: string, method: string, path = '', body?: object): Door {
    return {
      viewer,
      name: `${method} ${path}`,
      statusOfUnknown: isChange(method, path) && !cells.stage.hasAccount(viewer) ? 401 : 404,
      call: (isThere) => {
        const url = `/api/revelations/${isThere ? id : unknown}${path}`
        return cells.stage.call(viewer, item, method, url, body)
      },
    }
  }
  const seen = isSeen ? 200 : 'as unknown'
  const detail = await cells.checkAnswer(item, seen, door(item.id, 'GET'))
  if (detail.status === 200) checkDetail(cells, viewer, item, detail.body.revelation)
  await cells.checkAnswer(item, seen, door(item.id, 'POST', '/view'))
  const canOpen = cells.stage.hasAccount(viewer) || viewer === 'bearer of the key' ? 200 : 401
  const opened = subject.isRevealed ? canOpen : 409
  await cells.checkAnswer(item, isSeen ? opened : 'as unknown', door(item.id, 'POST', '/open'))
  const announced = await cells.checkAnswer(item, seen, door(item.id, 'POST', '/presence'))
  if (announced.status === 200) checkPresence(cells, viewer, item, announced.body)
  const isReader = subject.isRevealed && isSeen && WRITERS.includes(viewer)
  const replies = isAuthor || isReader ? 200 : 'as unknown'
  await cells.checkAnswer(item, replies, door(item.id, 'GET', '/replies'))
  const isTheirs = isAuthor ? 200 : 'as unknown'
  await cells.checkAnswer(item, isTheirs, door(item.id, 'POST', '/replies/read'))
  const proof = await cells.checkAnswer(item, seen, door(item.id, 'GET', '/proof'))
  if (proof.status === 200) {
    const [{ fields }] = proof.body.leaves
    const isOpen = fields.every((field: object) => 'value' in field)
    const canRead = expectedView(viewer, subject) === 'letter'
    cells.check(`${viewer}, ${item.code}, what opens the seal`, isOpen === canRead, isOpen)
  }
  // Whoever bears no key joins nothing, whatever they see, and whoever joined nothing leaves nothing.
  await cells.checkAnswer(item, 'as unknown', door(item.id, 'POST', '/save'))
  await cells.checkAnswer(item, 'as unknown', door(spare, 'DELETE', '/save'))
  const archived: Expected = isSeen ? (subject.isRevealed ? 200 : 409) : 'as unknown'
  for (const method of ['GET', 'POST']) {
    await cells.checkAnswer(item, archived, door(item.id, method, '/archive'))
  }

  await checkPicture(cells, viewer, item)

  const mine = isAuthor ? spare : item.id
  const refused: Expected = cells.stage.hasAccount(viewer) && isSeen ? 403 : 'as unknown'
  const shown = subject.isRevealed ? 409 : 200
  const edited = cells.isHidden ? 403 : shown
  const edit = { content: 'Une autre lettre, assez longue.' }
  await cells.checkAnswer(item, isAuthor ? edited : refused, door(mine, 'PUT', '', edit))
  await cells.checkAnswer(item, isAuthor ? 200 : refused, {
    ...door(mine, 'PUT'),
    name: 'notify',
    call: (isThere) => {
      const body = { revelationId: isThere ? mine : unknown }
      return cells.stage.call(viewer, item, 'POST', '/api/email/notify-revelation', body)
    },
  })
  await cells.checkAnswer(item, isAuthor ? 200 : refused, door(mine, 'DELETE'))
}

function checkDetail(
  cells: Cells,
  viewer: Viewer,
  item: Item,
  revelation: Record<string, unknown>,
): void {
  const cell = `${viewer}, ${item.code}`
  checkShape(cells, `${cell}, detail`, viewer, item, revelation)
  const notes = NOTE_KEYS.filter((key) => Object.hasOwn(revelation, key)).length
  cells.check(`${cell}, notes`, notes === (viewer === 'author' ? NOTE_KEYS.length : 0), notes)
  const { react, comment } = revelation.can as Record<string, boolean>
  const canAct = cells.stage.hasAccount(viewer)
  cells.check(`${cell}, can`, react === canAct && comment === canAct, [react, comment])
  const isWhole = !String(revelation.target_email).includes('•')
  const isTheirs = viewer === 'author' || WRITERS.includes(viewer)
  cells.check(`${cell}, target_email`, isWhole === isTheirs, revelation.target_email)
}

/** Nobody waits once it is open; before that, only the author and their friends and family are named to each other. */
function checkPresence(cells: Cells, viewer: Viewer, item: Item, presence: Presence): void {
  const cell = `${viewer}, ${item.code}, presence`
  const { waiting, people } = presence
  const isOver = cells.subjectOf(item).isRevealed
  cells.check(`${cell}, waiting`, isOver ? waiting === 0 : waiting >= people.length, waiting)
  const named = isOver ? [] : cells.stage.relatedTo(viewer)
  const isRight = people.every(({ id }) => named.includes(id))
  cells.check(
    `${cell}, people`,
    isRight,
    people.map(({ pseudo }) => pseudo),
  )
}

/** To every viewer, the picture of a preview shows the view of a visitor, or equals that of a missing revelation. */
async function checkPicture(cells: Cells, viewer: Viewer, item: Item): Promise<void> {
  const pictureOf = (id: string) => cells.stage.call(viewer, item, 'GET', `/apercu/${id}.png`)
  const [picture, unknown] = [await pictureOf(item.id), await pictureOf(randomUUID())]
  const isOfIt = picture.status === 200 && wholeOf(picture) !== wholeOf(unknown)
  const isPublic = expectedView('visitor', cells.subjectOf(item)) !== 'nothing'
  cells.check(`${viewer}, ${item.code}, picture`, isOfIt === isPublic, picture.status)
}

/** Every call about reactions, votes and comments; `round` distinguishes the comments of each state. */
export async function checkDiscussion(
  cells: Cells,
  viewer: Viewer,
  item: Item,
  round: number,
): Promise<void> {
  const isSeen = expectedView(viewer, cells.subjectOf(item)) !== 'nothing'
  const hasAccount = cells.stage.hasAccount(viewer)
  const comment = {
    as: cells.stage.author,
    body: { revelation_id: item.id, content: `Tour ${round}` },
  }
  const theirs = await cells.stage.server.call('POST', '/api/comments', comment)
  function door(method: string, path: (id: string) => string, body?: (id: string) => object): Door {
    return {
      viewer,
      name: `${method} ${path('')}`,
      statusOfUnknown: method === 'GET' || hasAccount ? 404 : 401,
      call: (isThere) => {
        const id = isThere ? item.id : randomUUID()
        return cells.stage.call(viewer, item, method, path(id), body?.(id))
      },
    }
  }
  const seen = isSeen ? 200 : 'as unknown'
  const canAct = isSeen && hasAccount
  for (const left of ['reactions', 'comments']) {
    await cells.checkAnswer(
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
  await cells.checkAnswer(item, canAct ? 200 : 'as unknown', reacting)
  const back = door('DELETE', (id) => `/api/reactions/${id}`)
  await cells.checkAnswer(item, canAct ? 200 : 'as unknown', back)
  // Votes are for predictions that everybody can read, and never for one's own.
  const isPublic =
    !cells.isHidden && item.visibility === 'public' && cells.subjectOf(item).isRevealed
  const isJudged = isPublic && item.kind === 'prediction'
  const vote = { outcome: 'partly' }
  const voting = door(
    'PUT',
    (id) => `/api/revelations/${id}/vote`,
    () => vote,
  )
  const judged = isJudged ? (viewer === 'author' ? 403 : 200) : 409
  await cells.checkAnswer(item, canAct ? judged : 'as unknown', voting)
  const unvoting = door('DELETE', (id) => `/api/revelations/${id}/vote`)
  await cells.checkAnswer(item, canAct ? judged : 'as unknown', unvoting)
  const declaring = door(
    'PUT',
    (id) => `/api/revelations/${id}/outcome`,
    () => vote,
  )
  const declared = viewer === 'author' ? (isJudged ? 200 : 409) : 403
  await cells.checkAnswer(item, canAct ? declared : 'as unknown', declaring)
  const content = `${viewer} ${round}`
  const commenting = door(
    'POST',
    () => '/api/comments',
    (id) => ({ revelation_id: id, content }),
  )
  await cells.checkAnswer(item, canAct ? 201 : 'as unknown', commenting)
  // A blocked viewer does not even see the comments.
  const refused = canAct && !isBlocked(viewer) ? 403 : 'as unknown'
  await cells.checkAnswer(item, viewer === 'author' ? 200 : refused, {
    ...door('DELETE', (id) => `/api/comments/${id}`),
    call: (isThere) => {
      const id = isThere ? theirs.body.id : randomUUID()
      return cells.stage.call(viewer, item, 'DELETE', `/api/comments/${id}`)
    },
  })
}

/** An open page receives the event of a comment exactly where its viewer sees the envelope. */
export async function checkEvents(cells: Cells, viewer: Viewer, round: number): Promise<void> {
  const page = await cells.stage.openPage(viewer)
  for (const { id } of cells.stage.items) {
    const body = { revelation_id: id, content: `Pour ${viewer}, tour ${round}` }
    await cells.stage.server.call('POST', '/api/comments', { as: cells.stage.author, body })
  }
  await catchUp(cells.stage.server.ctx, page, page.userId)
  page.leave()
  for (const item of cells.stage.items) {
    const isReceived = page.events.some(
      ({ data }) => data.id === item.id && data.changed?.includes('comments'),
    )
    const isSeen = expectedView(viewer, cells.subjectOf(item)) !== 'nothing'
    cells.check(`${viewer}, ${item.code}, events`, isReceived === isSeen, isReceived)
  }
}

function isChange(method: string, path: string): boolean {
  const quiet = ['/view', '/open', '/presence', '/replies/read', '/archive']
  return method !== 'GET' && !quiet.includes(path)
}
