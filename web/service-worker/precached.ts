import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** A module in the manifest of the build. */
interface Built {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  assets?: string[]
}

/**
 * The pages to start and to write, and to read what the device keeps: a first letter is read before there is a worker. The
 * code of other pages is cached when they are visited.
 */
const PAGES = [
  'index.html',
  'src/pages/home/home-page.tsx',
  'src/pages/create/create-page.tsx',
  'src/pages/received/received-page.tsx',
  'src/pages/device-letters/device-letters-page.tsx',
  'src/pages/detail/detail-page.tsx',
]

const IS_PAGE = /-page\.tsx$/
/** Larger than all the rest: documents are read with the network. */
const IS_HEAVY = /\/document-reader\.tsx$/
const IN_SHELL = /(?:src|href)="(\/assets\/[^"]+)"/g

/** The files, besides the shell, that writing and reading letters without a network needs. */
export async function listPrecached(dist: string, shell: string): Promise<string[]> {
  const manifest: Record<string, Built> = JSON.parse(
    await readFile(path.join(dist, '.vite/manifest.json'), 'utf8'),
  )
  const files = new Set<string>([...shell.matchAll(IN_SHELL)].map(([, file = '']) => file))
  const seen = new Set<string>()
  const visit = (name: string) => {
    const built = manifest[name]
    if (!built) throw new Error(`${name} is not in the build`)
    if (seen.has(name)) return
    seen.add(name)
    for (const file of [built.file, ...(built.css ?? []), ...(built.assets ?? [])]) {
      files.add(`/${file}`)
    }
    built.imports?.forEach(visit)
    // Lazy code of a page belongs to it; other pages do not.
    built.dynamicImports
      ?.filter((later) => !IS_PAGE.test(later) && !IS_HEAVY.test(later))
      .forEach(visit)
  }
  PAGES.forEach(visit)
  return [...files].sort()
}
