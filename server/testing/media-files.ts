import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Raised when the recipe of a file changes: the files of another version are not used. */
const VERSION = 1
const CACHE = path.join(os.tmpdir(), `revelations-test-media-${VERSION}`)

export const TOOLS = {
  ffmpegPath: process.env.FFMPEG_PATH || 'ffmpeg',
  ffprobePath: process.env.FFPROBE_PATH || 'ffprobe',
}

export type Colour = [red: number, green: number, blue: number]

/** 27 colours far from each other; neighbours are never alike. */
export function paletteColour(index: number): Colour {
  const place = (index * 7 + 5) % 27
  const level = (step: number) => 24 + (Math.floor(place / step) % 3) * 100
  return [level(9), level(3), level(1)]
}

export interface ColourVideo {
  seconds: number
  fps?: number
  size?: string
  audio?: boolean
  /** The palette colour of each second; by default second n shows colour n. */
  palette?: number[]
  /** `every`: each frame stands alone, so that equal frames have equal bytes in any surroundings. */
  keyframes?: 'every' | 'rare'
  format?: 'mp4' | 'mov' | 'webm' | 'avi'
  /** Arguments of ffmpeg for the output, such as metadata. */
  extra?: string[]
}

/** A video whose every second has its own flat colour, so that a frame identifies its second. */
export async function colourVideo(options: ColourVideo): Promise<Buffer> {
  const { seconds, fps = 25, size = '320x180', audio = true, keyframes = 'every' } = options
  const { format = 'mp4', extra = [] } = options
  const palette = options.palette ?? Array.from({ length: seconds }, (_, second) => second)
  const parts = palette.slice(0, seconds).map((index, second) => {
    const hex = Buffer.from(paletteColour(index)).toString('hex')
    return `color=c=0x${hex}:s=${size}:r=${fps}:d=1[p${second}]`
  })
  const labels = parts.map((_, second) => `[p${second}]`).join('')
  const graph = `${parts.join(';')};${labels}concat=n=${parts.length}:v=1:a=0,format=yuv420p`
  const codecs = {
    mp4: ['-c:v', 'libx264', '-preset', 'veryfast', '-qp', '16', '-bf', '2'],
    webm: ['-c:v', 'libvpx', '-b:v', '1M', '-deadline', 'realtime'],
    avi: ['-c:v', 'mpeg4', '-q:v', '2'],
  }
  const codec = codecs[format === 'mov' ? 'mp4' : format]
  const rare = ['-g', '250', ...(codec.includes('libx264') ? ['-sc_threshold', '0'] : [])]
  const sound = { mp4: 'aac', mov: 'aac', webm: 'libopus', avi: 'pcm_s16le' }[format]
  const args = [
    ...['-f', 'lavfi', '-i', graph],
    ...(audio ? ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:d=${seconds}`] : []),
    ...codec,
    ...(keyframes === 'every' ? ['-g', '1'] : rare),
    ...(audio ? ['-c:a', sound, '-b:a', '64k'] : []),
    ...extra,
  ]
  return renderByFfmpeg(args, format)
}

/** The same mp4 as a phone held upright records it: lying, with a note that it is to be turned right by 90°. */
export function turned(mp4: Buffer): Buffer {
  const copy = Buffer.from(mp4)
  const matrix = copy.indexOf('tkhd') + 44
  const quarterTurn = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]
  for (const [at, value] of quarterTurn.entries()) copy.writeInt32BE(value, matrix + at * 4)
  return copy
}

export type SoundFormat = 'mp3' | 'wav' | 'ogg' | 'm4a' | 'webm' | 'aac' | 'flac'

/** A tone. `webm` is like what a browser records: Opus, with neither duration nor index. */
export function toneAudio(format: SoundFormat, seconds = 2, extra: string[] = []): Promise<Buffer> {
  const codecs = {
    mp3: 'libmp3lame',
    wav: 'pcm_s16le',
    ogg: 'libopus',
    m4a: 'aac',
    webm: 'libopus',
    aac: 'aac',
    flac: 'flac',
  }
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:d=${seconds}`]
  const live = format === 'webm' ? ['-live', '1'] : []
  return renderByFfmpeg([...tone, '-c:a', codecs[format], ...live, ...extra], format)
}

/** A tone as a browser writes it while it records: an Opus webm without length or index, an AAC mp4 in fragments. */
export function recordedAudio(
  format: 'webm' | 'm4a',
  seconds = 2,
  extra: string[] = [],
): Promise<Buffer> {
  if (format === 'webm') return toneAudio('webm', seconds, extra)
  const flags = 'frag_keyframe+empty_moov+default_base_moof+skip_trailer'
  const fragments = ['-movflags', flags, '-frag_duration', '1000000', '-f', 'mp4']
  return toneAudio('m4a', seconds, [...fragments, ...extra])
}

/** A sound from a source of lavfi and the arguments of ffmpeg for it. */
export function renderSound(format: SoundFormat, args: string[]): Promise<Buffer> {
  const [source = '', ...rest] = args
  return renderByFfmpeg(['-f', 'lavfi', '-i', source, ...rest], format)
}

/** A photo lying on its side, with its place and its author in its metadata. */
export function photoWithGps(width = 64, height = 48): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#c86432' } })
    .withExif({
      IFD0: { Artist: 'Camille Secret', Orientation: '6' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '50/1 51/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '4/1 21/1 0/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}

export function picture(format: 'jpeg' | 'png' | 'gif' | 'webp', width = 40, height = 30) {
  const create = { width, height, channels: 3, background: '#3264c8' } as const
  return sharp({ create }).toFormat(format).toBuffer()
}

/** Pages of 200 × 200 points or another size, each with a blue square in its middle. */
export function pdf({ pages = 1, trailer = '', size = '200 200' } = {}): Buffer {
  const square = '0 0 1 rg 80 80 40 40 re f'
  const numbers = Array.from({ length: pages }, (_, page) => page + 4)
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${numbers.map((number) => `${number} 0 R`).join(' ')}]/Count ${pages}>>`,
    `<</Length ${square.length}>>stream\n${square}\nendstream`,
    ...numbers.map(() => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${size}]/Contents 3 0 R>>`),
  ]
  return pdfOf(objects, trailer)
}

function pdfOf(contents: readonly string[], trailer = ''): Buffer {
  const objects = contents.map((object, index) => `${index + 1} 0 obj${object} endobj\n`)
  return Buffer.from(`%PDF-1.4\n${objects.join('')}trailer<</Root 1 0 R${trailer}>>\n%%EOF\n`)
}

/** A page with a form that draws itself twice, without an end. */
export function endlessPdf(): Buffer {
  const own = '/Resources<</XObject<</F 4 0 R>>>>'
  const form = `/Type/XObject/Subtype/Form/BBox[0 0 200 200]${own}`
  const draw = '/F Do /F Do'
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R${own}>>`,
    `<<${form}/Length ${draw.length}>>stream\n${draw}\nendstream`,
  ])
}

/** A document that no picture is made of: one stored object. */
export function pagelessPdf(): Buffer {
  return pdf({ pages: 0 })
}

/** The same, of this size; no two parts of it are alike. */
export function paddedPdf(sizeBytes: number): Buffer {
  return Buffer.concat([pagelessPdf(), randomBytes(sizeBytes)], sizeBytes)
}

/** Encrypted under a password that nobody has. */
export function lockedPdf(): Buffer {
  const bytes = `<${'5a'.repeat(32)}>`
  const encryption = `<</Filter/Standard/V 1/R 2/P -4/O ${bytes}/U ${bytes}>>`
  const id = `<${'5a'.repeat(16)}>`
  return pdf({ trailer: `/Encrypt ${encryption}/ID[${id} ${id}]` })
}

/** Text that ffmpeg would follow to `entry`, sent under the name of a video. */
export function playlistNamedMp4(form: 'hls' | 'ffconcat', entry: string): Buffer {
  return Buffer.from(
    form === 'hls'
      ? `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${entry}\n#EXT-X-ENDLIST\n`
      : `ffconcat version 1.0\nfile '${entry}'\n`,
  )
}

export function svgBytes(): Buffer {
  return Buffer.from(
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><rect width="9" height="9"/></svg>',
  )
}

export function htmlBytes(): Buffer {
  return Buffer.from('<!doctype html><html><script>alert(localStorage.auth_token)</script></html>')
}

/** 27 kB that decode to 15,000 × 15,000 pixels. */
export function hugePng(side = 15_000): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const rows = Buffer.alloc((Math.ceil(side / 8) + 1) * side)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Renders a file once per machine; several test processes may want the same one at the same time. */
async function renderByFfmpeg(args: string[], extension: string): Promise<Buffer> {
  const name = crc32(JSON.stringify(args)).toString(16)
  const file = path.join(CACHE, `${name}.${extension}`)
  try {
    return await readFile(file)
  } catch {
    await mkdir(CACHE, { recursive: true })
    const draft = path.join(CACHE, `${name}.${process.pid}.${Math.random()}.${extension}`)
    await promisify(execFile)(TOOLS.ffmpegPath, ['-nostdin', '-v', 'error', ...args, draft])
    await rename(draft, file)
    return readFile(file)
  }
}

/** Silence of any length that weighs next to nothing: a hundred samples a second. */
export function silentWav(seconds: number): Buffer {
  const rate = 100
  const size = Math.ceil(seconds * rate)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + size, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(size, 40)
  return Buffer.concat([head, Buffer.alloc(size, 128)])
}
