import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { PageRequest, RenderedPage } from '#contract/page-renderer.ts'
import type { PageAnswer } from './page-calls.ts'

// A page is compressed for a second of answers: a higher quality costs much time for few bytes.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

export function compressPage(html: string | Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(html, BROTLI)
}

export interface CompressedPage extends Omit<RenderedPage, 'html'> {
  bodyFor: (acceptEncoding: string | undefined) => Promise<{ body: Buffer; encoding?: string }>
}

export interface PageBuilder {
  render: (path: string, fetchApi: PageRequest['fetchApi']) => Promise<RenderedPage | undefined>
  /** One call of the API for a visitor at `ip`. */
  callApi: (ip: string, url: string) => Promise<PageAnswer>
  now: () => Date
}

/**
 * Builds the pages of visitors, who are shown the same. Whoever comes while one is being built waits for the next, whose
 * answers are asked for once for all of them: nobody is shown an answer from before they came. A page whose answers are
 * those of before is not rendered again within the second of the clock that it shows.
 */
export function createSharedPages(builder: PageBuilder) {
  const group = createGroups<CompressedPage | undefined>()
  const known = createKnownPages(builder.now)
  const build = async (path: string, ip: string) => {
    const second = known.second()
    const former = known.find(path)
    const calls = new Map<string, Promise<PageAnswer>>()
    const callOnce = (url: string) => {
      const called = calls.get(url) ?? builder.callApi(ip, url)
      calls.set(url, called)
      return called
    }
    const same = former && (await sameAnswers(former.answers, callOnce))
    if (same) {
      former.answers = same
      return former.page
    }
    const answers = new Map<string, PageAnswer>()
    const rendered = await builder.render(path, async (url, { method }) => {
      if (method !== 'GET') throw new Error('a page is rendered by reading alone')
      const answer = await callOnce(url)
      answers.set(url, answer)
      const { status, type, payload } = answer
      return new Response(payload, { status, headers: { 'content-type': type } })
    })
    const page = rendered && compressed(rendered)
    if (page?.isLive && !page.failure) known.add(path, { page, answers }, second)
    return page
  }
  return {
    /** The page of an address, for a visitor at `ip`; undefined where there is none. */
    pageFor: async (path: string, ip: string): Promise<CompressedPage | undefined> => {
      // What somebody searches for, few others do in the same second.
      if (path.includes('?')) return build(path, ip)
      const { isFirst, result } = group(path, () => build(path, ip))
      const page = await result
      // The first may have called so often that the API answers their network no more.
      return page?.isLive || isFirst ? page : build(path, ip)
    },
    /** The page that its browser makes: nothing is asked for. */
    headOf: async (path: string): Promise<CompressedPage | undefined> => {
      const rendered = await builder.render(path, undefined)
      return rendered && compressed(rendered)
    },
  }
}

/** Runs one task a key at a time; those who ask meanwhile share the one that begins after it. */
function createGroups<Result>() {
  const running = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<Result>>()
  const runAfter = async (key: string, task: () => Promise<Result>) => {
    await running.get(key)
    next.delete(key)
    const result = task()
    const settled = result.then(
      () => undefined,
      () => undefined,
    )
    running.set(key, settled)
    void settled.then(() => running.get(key) === settled && running.delete(key))
    return result
  }
  return (key: string, task: () => Promise<Result>) => {
    const joined = next.get(key)
    if (joined) return { isFirst: false, result: joined }
    const result = runAfter(key, task)
    next.set(key, result)
    return { isFirst: true, result }
  }
}

interface KnownPage {
  page: CompressedPage
  answers: ReadonlyMap<string, PageAnswer>
}

/** The pages of the present second: no more can be rendered in one than memory holds. */
function createKnownPages(now: () => Date) {
  let pages = new Map<string, KnownPage>()
  let shown = 0
  const second = () => Math.floor(now().getTime() / 1000)
  const forgetFormer = () => {
    const present = second()
    if (present !== shown) pages = new Map()
    shown = present
  }
  return {
    second,
    find: (path: string) => {
      forgetFormer()
      return pages.get(path)
    },
    /** Unless the clock went on while it was built. */
    add: (path: string, page: KnownPage, builtIn: number) => {
      forgetFormer()
      if (builtIn === shown) pages.set(path, page)
    },
  }
}

/** The answers of now to these calls, if they are the same: those that are current, and new ones to all others. */
async function sameAnswers(
  former: ReadonlyMap<string, PageAnswer>,
  callApi: (url: string) => Promise<PageAnswer>,
): Promise<ReadonlyMap<string, PageAnswer> | undefined> {
  const answers = await Promise.all(
    Array.from(former, async ([url, before]) => {
      // When the database is away, a call says so in the words of the API.
      if (await before.isCurrent?.().catch(() => false)) return [url, before] as const
      return [url, await callApi(url)] as const
    }),
  )
  const isSame = ([url, { status, payload }]: readonly [string, PageAnswer]) =>
    status === former.get(url)?.status && payload === former.get(url)?.payload
  return answers.every(isSame) ? new Map(answers) : undefined
}

/** Compressed once for each way that browsers accept. A page contains nothing private, so that its size betrays nothing. */
function compressed({ html, ...page }: RenderedPage): CompressedPage {
  const plain = Buffer.from(html)
  const once = (compress: () => Promise<Buffer>) => {
    let body: Promise<Buffer> | undefined
    return () => {
      body ??= compress()
      return body
    }
  }
  const brotli = once(() => compressPage(plain))
  const gzipped = once(() => promisify(gzip)(plain))
  return {
    ...page,
    bodyFor: async (accepted = '') => {
      if (/\bbr\b/.test(accepted)) return { body: await brotli(), encoding: 'br' }
      if (/\bgzip\b/.test(accepted)) return { body: await gzipped(), encoding: 'gzip' }
      return { body: plain }
    },
  }
}
