import { readFile } from 'node:fs/promises'
import { PREVIEW_SIZE } from '#contract/previews.ts'
import {
  type Box,
  box,
  renderPng,
  renderText,
  SANS,
  SERIF,
} from '#server/platform/drawing/drawing.ts'
import { pressedLetter, SEAL_SIZE } from '#server/platform/drawing/wax-seal.ts'
import { type Card, drawable, graphemesOf } from './cards.rules.ts'

const COLOURS = {
  night: { strong: '#f7f5ff', soft: '#c9d0f5', accent: '#ffc08f' },
  day: { strong: '#2b2336', soft: '#5a4f63', accent: '#a51f33' },
}

const BYLINE = { fontWeight: 500, fontSize: 30, marginTop: 18, whiteSpace: 'nowrap' }

/** The drawings around the words, with a place for the letter in each seal. */
const SKIES = {
  night: readFile(new URL('night-card.svg', import.meta.url), 'utf8'),
  day: readFile(new URL('day-card.svg', import.meta.url), 'utf8'),
}

/** The card as a PNG of the size that previews have. */
export async function drawCard(wanted: Card): Promise<Buffer> {
  const { missing } = await renderText(wordsOn(wanted), PREVIEW_SIZE)
  const card = missing.length === 0 ? wanted : drawable(wanted, missing)
  const [sky, words, initial, brand] = await Promise.all([
    SKIES[card.sky],
    renderText(wordsOn(card), PREVIEW_SIZE),
    renderText(pressedLetter(card.initial), SEAL_SIZE),
    renderText(pressedLetter('R'), SEAL_SIZE),
  ])
  const picture = sky
    .replace('<!--initial-->', () => initial.svg)
    .replace('<!--brand-->', () => brand.svg)
    .replace('<!--words-->', () => words.svg)
  return renderPng(picture)
}

function wordsOn({ sky, title, byline, label, day }: Card): Box {
  const { strong, soft, accent } = COLOURS[sky]
  const { fontSize, lineClamp } = sizeOf(title)
  const serif = { fontFamily: SERIF, fontWeight: 600, color: strong }
  const sans = { fontFamily: SANS, fontWeight: 600 }
  const place = { position: 'absolute', left: 72, flexDirection: 'column' }
  return box({ ...PREVIEW_SIZE, position: 'relative' }, [
    box({ ...serif, position: 'absolute', left: 126, top: 54, fontSize: 30 }, 'Révélations'),
    box({ ...place, top: 112, width: 600, height: 318, justifyContent: 'center' }, [
      box(
        {
          ...serif,
          display: 'block',
          fontSize,
          lineHeight: 1.1,
          letterSpacing: '-0.012em',
          lineClamp,
          wordBreak: 'break-word',
        },
        title,
      ),
      box({ ...sans, ...BYLINE, color: soft }, byline),
    ]),
    box({ ...place, top: 446 }, [
      box({ ...sans, fontSize: 26, color: accent }, label),
      box({ ...sans, fontSize: 40, color: strong }, day),
    ]),
  ])
}

/** Large where few words are, and small enough for the longest title. */
function sizeOf(title: string): { fontSize: number; lineClamp: number } {
  const capitals = title.match(/\p{Lu}/gu)?.length ?? 0
  const width = graphemesOf(title).length + 0.4 * capitals
  if (width <= 24) return { fontSize: 80, lineClamp: 3 }
  if (width <= 46) return { fontSize: 66, lineClamp: 3 }
  return width <= 80 ? { fontSize: 54, lineClamp: 4 } : { fontSize: 46, lineClamp: 5 }
}
