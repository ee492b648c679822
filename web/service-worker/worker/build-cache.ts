import { precached, SHELL, version } from './build-facts.ts'

// Two caches per build, only for files of the build: answers of the API, media and rendered pages are never cached.
const SHELL_CACHE = `shell-${version}`
const VISITED_CACHE = `visited-${version}`
const ASSETS = '/assets/'

/** Caches what writing a letter needs. Fails as a whole; the next visit retries. */
export async function cacheShell(): Promise<void> {
  const cache = await caches.open(SHELL_CACHE)
  const shell = await fetch(SHELL, { cache: 'reload' })
  // During a deployment a machine of another version may answer.
  if (!shell.ok || !(await isOfThisBuild(shell.clone())))
    throw new Error('The shell is not of this build')
  await cache.addAll(precached)
  await cache.put(SHELL, shell)
}

async function isOfThisBuild(shell: Response): Promise<boolean> {
  const html = await shell.text()
  const named = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
  return named.length > 0 && named.every((file) => precached.includes(file))
}

export async function deleteOtherBuilds(): Promise<void> {
  const names = await caches.keys()
  const current = [SHELL_CACHE, VISITED_CACHE]
  await Promise.all(
    names.filter((name) => !current.includes(name)).map((name) => caches.delete(name)),
  )
}

export function isAsset({ pathname }: URL): boolean {
  return pathname.startsWith(ASSETS)
}

/** A file of the build never changes under its name: the cache always wins. */
export async function fetchAsset(request: Request): Promise<Response> {
  const cached = await caches.match(request, { ignoreVary: true })
  if (cached) return cached
  const response = await fetch(request)
  if (response.status === 200) {
    const cache = await caches.open(VISITED_CACHE)
    await cache.put(request, response.clone())
  }
  return response
}

/** The page of the server; without a network, the shell. */
export async function fetchPage(event: FetchEvent): Promise<Response> {
  try {
    const early: Response | undefined = await event.preloadResponse
    return early ?? (await fetch(event.request))
  } catch (error) {
    const shell = await caches.match(SHELL, { cacheName: SHELL_CACHE, ignoreVary: true })
    if (!shell) throw error
    return shell
  }
}

/** The same rule as on the server. */
export function isPage({ pathname }: URL): boolean {
  return !pathname.startsWith('/api/') && !pathname.split('/').at(-1)?.includes('.')
}
