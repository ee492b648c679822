import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type ResvgRenderOptions, renderAsync } from '@resvg/resvg-js'
import type { Font } from 'satori'
import sharp from 'sharp'

type Style = Record<string, string | number>

/** A box of a drawing with its content, laid out by CSS. */
export interface Box {
  type: 'div'
  props: { style: Style; children: Box[] | string }
}

export interface RenderedText {
  /** An SVG of paths, which needs no font. */
  svg: string
  /** Text without a glyph in any font, which the drawing shows as empty frames. */
  missing: string[]
}

let fonts: Promise<Font[]> | undefined

export function box(style: Style, children: Box[] | string): Box {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } }
}

/** Renders text as paths. */
export async function renderText(
  words: Box,
  size: { width: number; height: number },
): Promise<RenderedText> {
  // A program that draws nothing yet starts sooner without them.
  const { default: satori } = await import('satori')
  fonts ??= loadFonts()
  const missing: string[] = []
  const svg = await satori(words as unknown as Parameters<typeof satori>[0], {
    ...size,
    fonts: await fonts,
    loadAdditionalAsset: async (_language, piece) => {
      missing.push(piece)
      return []
    },
  })
  return { svg, missing }
}

type Weight = 500 | 600

/** Values of `fontFamily` that cover all subsets of a family. */
export const SERIF = 'Fraunces, "Fraunces Ext"'
export const SANS = 'Figtree, "Figtree Ext"'

const SUBSETS = { latin: '', 'latin-ext': ' Ext' }

/** The fonts of the pages in the format of satori, which reads neither variable fonts nor woff2. */
async function loadFonts(): Promise<Font[]> {
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

/**
 * Renders an SVG of this program as PNG. sharp only compresses the pixels: its SVG reader stays closed because of
 * uploads (`media-tools/images`). Both work off the event loop.
 */
export async function renderPng(svg: string): Promise<Buffer> {
  return (await pixelsOf(svg)).removeAlpha().png().toBuffer()
}

/** The same on no ground and in few colours, at this width: a few kilobytes. */
export async function renderSmallPng(svg: string, width: number): Promise<Buffer> {
  const pixels = await pixelsOf(svg, { fitTo: { mode: 'width', value: width } })
  return pixels.png({ palette: true, colours: 64, effort: 10 }).toBuffer()
}

async function pixelsOf(svg: string, options: ResvgRenderOptions = {}) {
  const { pixels, width, height } = await renderAsync(svg, {
    ...options,
    font: { loadSystemFonts: false },
  })
  return sharp(pixels, { raw: { width, height, channels: 4 } })
}
