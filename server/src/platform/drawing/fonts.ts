import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Font } from 'satori'

type Weight = 500 | 600

/** What `fontFamily` says to have a family whole. */
export const SERIF = 'Fraunces, "Fraunces Ext"'
export const SANS = 'Figtree, "Figtree Ext"'

const SUBSETS = { latin: '', 'latin-ext': ' Ext' }

/** The fonts of the pages, cut for drawing: it reads neither variable ones nor woff2. */
export async function loadFonts(): Promise<Font[]> {
  const families = await Promise.all([
    loadFamily('Fraunces', 600),
    loadFamily('Figtree', 500),
    loadFamily('Figtree', 600),
  ])
  return families.flat()
}

function loadFamily(name: string, weight: Weight): Promise<Font[]> {
  return Promise.all(
    Object.entries(SUBSETS).map(async ([subset, suffix]) => ({
      name: name + suffix,
      weight,
      style: 'normal' as const,
      data: await readFile(fileOf(name.toLowerCase(), subset, weight)),
    })),
  )
}

function fileOf(family: string, subset: string, weight: Weight): string {
  const file = `@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`
  return fileURLToPath(import.meta.resolve(file))
}
