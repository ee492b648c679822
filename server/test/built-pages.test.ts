import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

const DIST = path.resolve(import.meta.dirname, '../../web/dist')
const MANIFEST = path.join(DIST, '.vite/manifest.json')
const KB = 1000

type Manifest = Record<string, { file: string; imports?: string[] }>

function gzippedKb(file: string): number {
  return gzipSync(readFileSync(path.join(DIST, file)), { level: 9 }).length / KB
}

function scriptsOf(modules: string[]): string[] {
  const manifest: Manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'))
  const files = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`${name} is not in the build: see web/src/app/first-screens.ts`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  modules.forEach(visit)
  return [...files]
}

// `npm test` builds first. The figures are those of docs/decisions/0029-first-screens.md.
describe.runIf(existsSync(MANIFEST))('what a visitor loads', () => {
  it.each([
    ['home', 144],
    ['demo', 132],
    ['detail', 140],
    ['predictions', 155],
    ['legal', 113],
  ])('is, on the page « %s », at most %i kB of JavaScript', (page, limit) => {
    const scripts = scriptsOf(['index.html', `src/pages/${page}/${page}-page.tsx`])
    expect(scripts.reduce((sum, file) => sum + gzippedKb(file), 0)).toBeLessThan(limit)
  })

  it('is at most 60 kB of fonts', () => {
    const fonts = readdirSync(path.join(DIST, 'assets')).filter((name) => name.endsWith('.woff2'))
    const bytes = fonts.map((name) => readFileSync(path.join(DIST, 'assets', name)).length)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * KB)
  })
})
