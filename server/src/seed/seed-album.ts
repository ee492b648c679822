import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import type { AppContext } from '#server/context.ts'
import { pathOf } from '#server/features/media/file-names.rules.ts'
import { receiveFile } from '#server/features/media/receiving.service.ts'
import { createRevelation } from '#server/features/revelations/revelations.service.ts'

type Colour = readonly [red: number, green: number, blue: number]

interface Page {
  name: string
  caption: string | null
  sky: Colour
  ground: Colour
}

const PAGES: readonly Page[] = [
  {
    name: 'matin.jpg',
    caption: 'Six heures, la rosée',
    sky: [246, 215, 176],
    ground: [127, 155, 107],
  },
  {
    name: 'midi.jpg',
    caption: 'Midi, sous le cerisier',
    sky: [169, 211, 238],
    ground: [107, 143, 78],
  },
  { name: 'orage.jpg', caption: null, sky: [93, 103, 120], ground: [70, 89, 60] },
  {
    name: 'soir.jpg',
    caption: 'Le soir, tout le monde est resté',
    sky: [229, 138, 91],
    ground: [76, 74, 53],
  },
  { name: 'nuit.jpg', caption: 'Et la nuit', sky: [31, 37, 71], ground: [25, 29, 34] },
]

/** Seals a public letter with five pictures for this person, as the page does; it opens at once. */
export async function seedAlbum(ctx: AppContext, userId: string): Promise<void> {
  const file_urls: string[] = []
  for (const page of PAGES) {
    const { id, kind, extension } = await receiveFile(
      ctx,
      { userId },
      {
        bytes: Readable.from([await draw(page)]),
        readEnd: async () => {},
        fileName: page.name,
        declaredType: 'image/jpeg',
        declaredBytes: undefined,
        folder: 'images',
        teaser: undefined,
      },
    )
    file_urls.push(pathOf({ id, kind, extension }))
  }
  const actor = { userId, sessionId: randomUUID(), verifiedEmailKey: null }
  await createRevelation(ctx, actor, {
    title: 'Un dimanche au jardin',
    content: 'Cinq images d’un même jour, dans l’ordre où je les ai vues.',
    target_email: 'quelquun@semis.exemple.test',
    reveal_date: ctx.now().toISOString(),
    visibility: 'public',
    file_urls,
    captions: PAGES.map(({ caption }) => caption),
  })
}

const [WIDTH, HEIGHT] = [900, 600]
const LIGHT = [255, 246, 223] as const

/** A hill below a sun or a moon, pixel by pixel: the program reads no drawings. */
function draw({ sky, ground }: Page): Promise<Buffer> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const isGround = y > 430 + 50 * Math.sin(x / 170)
      const isLight = Math.hypot(x - 660, y - 170) < 60
      pixels.set(isGround ? ground : isLight ? LIGHT : sky, (y * WIDTH + x) * 3)
    }
  }
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const
  return sharp(pixels, { raw }).jpeg({ quality: 82 }).toBuffer()
}
