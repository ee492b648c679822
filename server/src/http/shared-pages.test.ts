import { beforeEach, expect, it } from 'vitest'
import { createSharedPages, type PageBuilder } from './shared-pages.ts'

const VISITOR = '198.51.100.1'
const OTHER = '198.51.100.2'

let now: Date
let answer: string
let asked: string[]
let rendered: number
let isLive: boolean
/** Of the answers from now on. */
let isCurrent: (() => Promise<boolean>) | undefined
let failure: { error: Error; route: string } | undefined
/** What is asked is answered once these are over. */
let answered: Promise<unknown>

const builder: PageBuilder = {
  now: () => now,
  callApi: async (ip) => {
    asked.push(ip)
    const payload = answer
    await answered
    return { status: 200, type: 'application/json', payload, isCurrent }
  },
  render: async (path, fetchApi) => {
    const shown = fetchApi && (await fetchApi('/api/feed', { method: 'GET' })).text()
    rendered += 1
    return { status: 200, html: `${path} ${await shown}`, isLive, ...(failure && { failure }) }
  },
}

let pages: ReturnType<typeof createSharedPages>

beforeEach(() => {
  now = new Date('2026-11-26T10:00:00.100Z')
  answer = 'un'
  asked = []
  rendered = 0
  isLive = true
  isCurrent = undefined
  failure = undefined
  answered = Promise.resolve()
  pages = createSharedPages(builder)
})

async function see(path = '/', ip = VISITOR): Promise<string | undefined> {
  const page = await pages.pageFor(path, ip)
  return (await page?.bodyFor(undefined))?.body.toString()
}

it('asks once for all who came before it asked, and anew for those who came after', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  answered = promise
  const first = see()
  await expect.poll(() => asked.length).toBe(1)
  answer = 'deux'
  const others = [see(), see('/', OTHER), see()]
  resolve()
  expect(await first).toBe('/ un')
  expect(await Promise.all(others)).toEqual(['/ deux', '/ deux', '/ deux'])
  expect(asked).toHaveLength(2)
})

it('renders once what is answered alike within a second', async () => {
  expect([await see(), await see(), await see('/', OTHER)]).toEqual(['/ un', '/ un', '/ un'])
  expect([asked, rendered]).toEqual([[VISITOR, VISITOR, OTHER], 1])
  now = new Date('2026-11-26T10:00:01.000Z')
  await see()
  expect(rendered, 'the clock that it shows').toBe(2)
})

it('follows an answer at once', async () => {
  await see()
  answer = 'deux'
  expect(await see()).toBe('/ deux')
})

it('does not call again while the answer says itself that it is current', async () => {
  let [isFirstCurrent, isSecondCurrent] = [true, true]
  isCurrent = async () => isFirstCurrent
  expect([await see(), await see()]).toEqual(['/ un', '/ un'])
  expect([asked.length, rendered]).toEqual([1, 1])
  // The same was answered again: it is the second answer that is asked from now on.
  isFirstCurrent = false
  isCurrent = async () => isSecondCurrent
  expect([await see(), await see()]).toEqual(['/ un', '/ un'])
  expect([asked.length, rendered]).toEqual([2, 1])
  isSecondCurrent = false
  answer = 'deux'
  expect(await see()).toBe('/ deux')
  expect([asked.length, rendered]).toEqual([3, 2])
})

it('calls again where it cannot be told whether an answer is current', async () => {
  isCurrent = () => Promise.reject(new Error('away'))
  await see()
  answer = 'deux'
  expect(await see()).toBe('/ deux')
})

it('keeps the pages of addresses apart', async () => {
  expect(await Promise.all([see('/'), see('/preuve'), see('/?q=un'), see('/?q=un')])).toEqual([
    '/ un',
    '/preuve un',
    '/?q=un un',
    '/?q=un un',
  ])
})

it('asks for each alone where the first was refused', async () => {
  isLive = false
  await Promise.all([see(), see('/', OTHER), see('/', OTHER)])
  expect(asked).toEqual([VISITOR, OTHER, OTHER])
})

it('renders again what could not be rendered', async () => {
  failure = { error: new Error('out of order'), route: '/' }
  await see()
  failure = undefined
  await see()
  expect(rendered).toBe(2)
})

it('compresses as its browser asks, and not otherwise', async () => {
  const page = await pages.pageFor('/', VISITOR)
  const encodings = ['gzip, deflate, br', 'gzip', 'identity', undefined]
  const bodies = await Promise.all(encodings.map((accepted) => page?.bodyFor(accepted)))
  expect(bodies.map((body) => body?.encoding)).toEqual(['br', 'gzip', undefined, undefined])
})

it('shares the refusal of one that cannot be made, and makes the next', async () => {
  const { render } = builder
  builder.render = () => Promise.reject(new Error('out of order'))
  await expect(Promise.all([see(), see()])).rejects.toThrow('out of order')
  builder.render = render
  expect(await see()).toBe('/ un')
})
