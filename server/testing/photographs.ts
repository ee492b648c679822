import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Needle } from './canary.ts'

export const PHOTOGRAPHS = [
  'photo.jpg',
  'photo.png',
  'photo.webp',
  'photo.gif',
  'photo.heic',
  'moving.webp',
] as const
export type Photograph = (typeof PHOTOGRAPHS)[number]

/** A photograph with all that cameras write into theirs (testing/photographs/README.md). */
export function photograph(name: Photograph): Promise<Buffer> {
  return readFile(new URL(`./photographs/${name}`, import.meta.url))
}

/** As a phone names it: by the day and the hour. */
export function phoneNameOf(name: Photograph): string {
  return `IMG_20190807_060504${extname(name)}`
}

/** Seconds of latitude and longitude, in ten millionths. */
const POSITION = [314_159_265, 271_828_182]

/** What is planted in the photographs, in each form in which it stands in one. */
export const TRACES: readonly Needle[] = [
  ...['PLANTED', '2019:08:07', '2019-08-07', '20190807', 'Apple iOS', '50,51.5', '4,21.4'].map(
    inText,
  ),
  ...['http://ns.adobe.com', 'Photoshop 3.0', 'Exif\0\0'].map(inText),
  ...POSITION.flatMap((seconds) => [bigEndian(seconds), littleEndian(seconds)]),
]

function inText(text: string): Needle {
  return { name: text, bytes: Buffer.from(text) }
}

function bigEndian(number: number): Needle {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return { name: `position ${number}`, bytes }
}

function littleEndian(number: number): Needle {
  return { name: `position ${number}, reversed`, bytes: bigEndian(number).bytes.reverse() }
}
