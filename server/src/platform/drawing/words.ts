import satori, { type Font } from 'satori'
import { loadFonts } from './fonts.ts'

type Style = Record<string, string | number>

/** A box of a drawing with what it holds, laid out as CSS says. */
export interface Box {
  type: 'div'
  props: { style: Style; children: Box[] | string }
}

export interface DrawnWords {
  /** An SVG of paths: no font is needed to show it. */
  svg: string
  /** What no font has a glyph for, piece by piece; it stands as empty frames in the drawing. */
  missing: string[]
}

let fonts: Promise<Font[]> | undefined

export function box(style: Style, children: Box[] | string): Box {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } }
}

/** Words as paths, each letter where the layout puts it. */
export async function drawWords(
  words: Box,
  size: { width: number; height: number },
): Promise<DrawnWords> {
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
