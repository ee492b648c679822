import { afterAll, beforeAll, describe, it } from 'vitest'
import { KINDS } from '#contract/kinds.ts'
import { SORTS, VISIBILITIES } from '#contract/revelations.ts'
import { A_DAY_MS } from '#testing/factories.ts'
import { type Cells, createCells } from './cells.ts'
import {
  checkAnniversaries,
  checkFiles,
  checkJobs,
  checkList,
  checkNotifications,
  checkProfile,
  checkReceived,
} from './list-checks.ts'
import { checkDiscussion, checkEvents, checkRevelation } from './revelation-checks.ts'
import { type Item, openStage, STAGE_FILES } from './stage.ts'
import { expectedView, VIEWERS } from './table.ts'

/** The states on which every answer depends. */
const STATES = {
  'a millisecond before the instant': { offsetMs: -1, isHidden: false },
  'a millisecond before the instant, hidden': { offsetMs: -1, isHidden: true },
  'at the very instant': { offsetMs: 0, isHidden: false },
  'hours after the instant, shown again': { offsetMs: A_DAY_MS / 4, isHidden: false },
  'a day after the instant, hidden': { offsetMs: A_DAY_MS, isHidden: true },
}
type State = keyof typeof STATES

let cells: Cells

/** Tests every call for every viewer, in each of these states, in the order of time. */
export function describeAccessTable(states: readonly State[]): void {
  beforeAll(async () => {
    cells = createCells(await openStage())
  })
  afterAll(async () => {
    console.info(`access table: ${cells.count} cells`)
    await cells.stage.server.close()
  })
  describe.each(states)('%s', (state) => describeState(state, states.indexOf(state)))
}

function describeState(state: State, spareIndex: number): void {
  beforeAll(() => cells.startState(STATES[state]))

  it.each(VIEWERS)('a revelation and %s', async (viewer) => {
    for (const item of cells.stage.items) {
      await checkRevelation(cells, viewer, item, item.spares[spareIndex] ?? '')
    }
    cells.expectAllRight()
  })

  it.each(VIEWERS)('reactions, votes and comments and %s', async (viewer) => {
    for (const item of cells.stage.items) await checkDiscussion(cells, viewer, item, spareIndex)
    if (cells.stage.hasAccount(viewer)) await checkEvents(cells, viewer, spareIndex)
    cells.expectAllRight()
  })

  it.each(STAGE_FILES)('the variants of a file (%s) and everybody', async (name) => {
    for (const item of cells.stage.items) {
      await cells.stage.attachFile(item, name)
      for (const viewer of VIEWERS) await checkFiles(cells, viewer, item, name)
    }
    cells.expectAllRight()
  })

  it.each(VIEWERS)('the preparation of a file and %s', async (viewer) => {
    await checkJobs(cells, viewer, cells.stage.items[0] as Item)
    cells.expectAllRight()
  })

  it.each(VIEWERS)('the profile of the author and %s', async (viewer) => {
    await checkProfile(cells, viewer)
    cells.expectAllRight()
  })

  it.each(VIEWERS)('what was received, this day of earlier years, and %s', async (viewer) => {
    await checkReceived(cells, viewer)
    await checkAnniversaries(cells, viewer)
    cells.expectAllRight()
  })

  it.each(VIEWERS)('notifications, once the worker ran, and %s', async (viewer) => {
    await cells.stage.server.runJobs()
    await checkNotifications(cells, viewer)
    cells.expectAllRight()
  })

  it.each(VIEWERS)('lists, once the worker ran, and %s', async (viewer) => {
    await cells.stage.server.runJobs()
    await checkList(cells, viewer, 'home', '/api/revelations?limit=100')
    for (const sort of SORTS) {
      await checkList(cells, viewer, 'home', `/api/revelations?limit=100&sort=${sort}`)
    }
    for (const kind of KINDS) {
      const isOfKind = (item: Item) => item.kind === kind
      await checkList(cells, viewer, 'home', `/api/revelations?limit=100&kind=${kind}`, isOfKind)
    }
    for (const visibility of VISIBILITIES) {
      const path = `/api/revelations?limit=100&visibility=${visibility}`
      await checkList(cells, viewer, visibility, path)
    }
    const profile = `/api/revelations/user/${cells.stage.author.id}?limit=100`
    await checkList(cells, viewer, 'profile', profile)
    // Hidden is private for every list, so two items suffice here.
    for (const item of cells.isHidden ? cells.stage.items.slice(0, 2) : cells.stage.items) {
      const isIt = ({ id }: Item) => id === item.id
      const canRead = expectedView(
        viewer === 'bearer of the key' ? 'visitor' : viewer,
        cells.subjectOf(item),
      )
      for (const [words, isFound] of [
        [`titre ${item.code}`, isIt],
        [`dit ${item.code}`, (one: Item) => isIt(one) && canRead === 'letter'],
      ] as const) {
        const q = encodeURIComponent(words)
        const narrowed = `/api/revelations?visibility=${item.visibility}&q=${q}`
        await checkList(cells, viewer, 'home', `/api/revelations?q=${q}`, isFound)
        await checkList(cells, viewer, item.visibility, narrowed, isFound)
        await checkList(cells, viewer, 'profile', `${profile}&q=${q}`, isFound)
      }
    }
    cells.expectAllRight()
  })
}
