import type { FileType } from '#contract/revelations.ts'
import { colourVideo, pdf, picture, toneAudio } from '#test/media-files.ts'
import type { FileToSend } from '#test/uploads.ts'
import { lockedName, type Pair, sharedName, type WorldName } from './secrets.ts'

/** A window of which both worlds' videos show the same, well inside what they share. */
export const TEASERS = [
  { teaser_start: 1.2, teaser_end: 2.8 },
  { teaser_start: 1.4, teaser_end: 2.4 },
] as const

// Seconds 1 and 2 are alike in both worlds; what surrounds them and the length are not.
const PALETTES: Pair<number[]> = { A: [0, 1, 2, 3], B: [4, 1, 2, 5, 6] }
const SECONDS: Pair<number> = { A: 1, B: 2 }
const SIDES: Pair<readonly number[]> = { A: [40], B: [64, 20] }
const WIDEST = 90

/** A file that is locked: of the same type in both worlds, with other bytes, another length and another name. */
export async function lockedFile(
  world: WorldName,
  kind: FileType,
  pick: number,
): Promise<FileToSend> {
  const name = lockedName(world, pick)
  const side = SIDES[world][pick % SIDES[world].length] ?? WIDEST
  return fileOf(kind, name, { side, seconds: SECONDS[world], palette: PALETTES[world] })
}

/** A file that is the same in both worlds. */
export async function sharedFile(kind: FileType, pick: number): Promise<FileToSend> {
  return fileOf(kind, sharedName(pick), { side: WIDEST, seconds: 3, palette: [7, 1, 2] })
}

async function fileOf(
  kind: FileType,
  name: string,
  look: { side: number; seconds: number; palette: number[] },
): Promise<FileToSend> {
  switch (kind) {
    case 'document': {
      const bytes = Buffer.concat([pdf(), Buffer.from(`% ${name} ${'.'.repeat(look.side)}\n`)])
      return { bytes, name: `${name}.pdf`, type: 'application/pdf', folder: 'documents' }
    }
    case 'image': {
      const bytes = await picture('jpeg', look.side, 30)
      return { bytes, name: `${name}.jpg`, type: 'image/jpeg', folder: 'images' }
    }
    case 'audio': {
      const bytes = await toneAudio('mp3', look.seconds)
      return { bytes, name: `${name}.mp3`, type: 'audio/mpeg', folder: 'audio' }
    }
    case 'video': {
      const { palette } = look
      const bytes = await colourVideo({ seconds: palette.length, fps: 10, size: '64x36', palette })
      const fields = { teaserStart: '1.2', teaserEnd: '2.8' }
      return { bytes, name: `${name}.mp4`, type: 'video/mp4', folder: 'videos', fields }
    }
  }
}
