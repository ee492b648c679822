import { precached, SHELL, version } from './build-facts.ts'

/*
 * Two caches per build, which hold files of the build and nothing else: what the API answers, media and pages that the
 * server made are never kept.
 */
const SHELL_CACHE = `shell-${version}`
const VISITED_CACHE = `visited-${version}`
const ASSETS = '/assets/'

/** Keeps what a letter is written with. Fails as a whole, to be tried again at the next visit. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(SHELL_CACHE)
  const shell = await fetch(SHELL, { cache: 'reload' })
  // During a deployment a machine of the other version may answer.
  if (!shell.ok || !(await namesOurFiles(shell.clone())))
    throw new Error('The shell is not of this build')
  await cache.addAll(precached)
  await cache.put(SHELL, shell)
}

async function namesOurFiles(shell: Response): Promise<boolean> {
  const html = await shell.text()
  const named = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
  return named.length > 0 && named.every((file) => precached.includes(file))
}

export async function dropOtherBuilds(): Promise<void> {
  const names = await caches.keys()
  const kept = [SHELL_CACHE, VISITED_CACHE]
  await Promise.all(names.filter((name) => !kept.includes(name)).map((name) => caches.delete(name)))
}

export function isAsset({ pathname }: URL): boolean {
  return pathname.startsWith(ASSETS)
}

/** A file of the build never changes under its name: once here, it is not asked for again. */
export async function answerAsset(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  if (response.status === 200) {
    const cache = await caches.open(VISITED_CACHE)
    await cache.put(request, response.clone())
  }
  return response
}

/** The page as the server makes it; without a network, the shell. */
export async function answerPage(event: FetchEvent): Promise<Response> {
  try {
    const early: Response | undefined = await event.preloadResponse
    return early ?? (await fetch(event.request))
  } catch (error) {
    const shell = await caches.match(SHELL, { cacheName: SHELL_CACHE, ignoreVary: true })
    if (!shell) throw error
    return shell
  }
}

/** As the server tells pages from files and calls. */
export function isPage({ pathname }: URL): boolean {
  return !pathname.startsWith('/api/') && !pathname.split('/').at(-1)?.includes('.')
}
