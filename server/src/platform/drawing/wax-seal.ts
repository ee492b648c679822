import { type Box, box, renderSmallPng, renderText, SERIF } from './drawing.ts'

/** The units of the seal’s own drawing. */
export const SEAL_SIZE = { width: 98, height: 100 }

/** A letter pressed into wax: its lit edge, then itself. */
export function pressedLetter(letter: string): Box {
  const at = (offset: number, style: Record<string, string | number>) =>
    box(
      {
        ...SEAL_SIZE,
        height: 99,
        position: 'absolute',
        left: offset,
        top: offset,
        justifyContent: 'center',
        alignItems: 'center',
        fontFamily: SERIF,
        fontWeight: 600,
        fontSize: 38,
        ...style,
      },
      letter,
    )
  return box({ ...SEAL_SIZE, position: 'relative' }, [
    at(0.8, { color: '#e58490', opacity: 0.55 }),
    at(0, { color: '#6f1020' }),
  ])
}

type SealState = 'whole' | 'broken'

const CACHE_MAX = 200
const cache = new Map<string, Promise<Buffer>>()

/** The seal of an author as a small picture on no ground, whole or broken in two; the same letter is drawn once. */
export function drawSeal(initial: string, state: SealState): Promise<Buffer> {
  const name = `${state} ${initial}`
  const drawn = cache.get(name) ?? render(initial, state)
  if (!cache.has(name)) {
    if (cache.size >= CACHE_MAX) cache.clear()
    cache.set(name, drawn)
    drawn.catch(() => cache.delete(name))
  }
  return drawn
}

const PICTURE_WIDTH = 192

async function render(initial: string, state: SealState): Promise<Buffer> {
  const letter = await renderText(pressedLetter(initial), SEAL_SIZE)
  // Wax without a letter rather than an empty frame, which is what no font has looks like.
  const pressed = letter.missing.length === 0 ? letter.svg : ''
  const seal = `<g id="seal">${DISC}${pressed}</g>`
  const drawing = state === 'whole' ? seal : `<defs>${seal}</defs>${HALVES}`
  return renderSmallPng(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -2 110 104">${DEFINITIONS}${drawing}</svg>`,
    PICTURE_WIDTH,
  )
}

const OUTLINE =
  'M90 50C90.1 56.2 91.1 63.2 88.9 68.7C86.6 74.2 81.3 79.5 76.3 83C71.3 86.4 65.1 87.3 59 89.3C52.9 91.3 45.7 95.8 39.8 94.9C33.8 93.9 28.1 87.8 23.3 83.5C18.4 79.2 13.5 74.5 10.7 68.9C7.9 63.3 6.7 56.3 6.7 50C6.8 43.7 8.1 36.7 11 31.2C13.8 25.7 18.9 20.8 23.8 17.2C28.8 13.6 34.7 11.4 40.8 9.5C46.8 7.7 54.2 4.7 60 6.1C65.8 7.5 70.8 13.7 75.6 18C80.3 22.2 86 26.1 88.4 31.5C90.8 36.8 89.9 43.8 90 50Z'
const CRACK = '54,-2 46,20 57,37 43,55 54,73 47,102'

const DEFINITIONS = `<defs>
<radialGradient id="wax" cx="36%" cy="30%" r="80%"><stop offset="0" stop-color="#d2495e"/><stop offset=".45" stop-color="#b3263a"/><stop offset="1" stop-color="#8a1a2c"/></radialGradient>
<clipPath id="left"><polygon points="-20,-20 ${CRACK} -20,120"/></clipPath>
<clipPath id="right"><polygon points="120,-20 ${CRACK} 120,120"/></clipPath>
</defs>`

const DISC = `<path d="${OUTLINE}" fill="url(#wax)"/>
<circle cx="49" cy="50" r="31" fill="none" stroke="#7c1526" stroke-width="2.5"/>
<circle cx="48.5" cy="49.4" r="31" fill="none" stroke="#e58490" stroke-opacity=".5" stroke-width=".8"/>
<path d="M20 34C25 23 36 15 49 14" fill="none" stroke="#f3b5bc" stroke-linecap="round" stroke-opacity=".65" stroke-width="2.4"/>`

const HALVES = `<g transform="translate(-4 0) rotate(-5 40 90)"><use href="#seal" clip-path="url(#left)"/></g>
<g transform="translate(4 1) rotate(6 58 90)"><use href="#seal" clip-path="url(#right)"/></g>`
