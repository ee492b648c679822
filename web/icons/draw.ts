// Draws the icons of the installed app from the favicon's wax seal: `node web/icons/draw.ts`, after a change to it.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'

const publicFolder = path.join(import.meta.dirname, '../public')
const icons = path.join(publicFolder, 'icons')

const favicon = (await readFile(path.join(publicFolder, 'favicon.svg'), 'utf8')).trim()
const seal = favicon.slice(favicon.indexOf('</title>') + '</title>'.length, -'</svg>'.length)
const silhouette = favicon.match(/<path d="([^"]+)"/)?.[1] ?? ''
const letter = favicon.match(/<path d="([^"]+)"[^>]*fill="#fffaf2"/)?.[1] ?? ''

const NIGHT = `<defs><linearGradient id="night" x2="0" y2="1"><stop stop-color="#1b2250"/><stop offset="1" stop-color="#0f1430"/></linearGradient></defs>
  <rect width="512" height="512" fill="url(#night)"/>
  <g fill="#c9d0f5"><circle cx="92" cy="110" r="4" opacity=".5"/><circle cx="412" cy="82" r="5" opacity=".6"/><circle cx="448" cy="214" r="3" opacity=".4"/><circle cx="66" cy="318" r="3.5" opacity=".4"/><circle cx="430" cy="404" r="4" opacity=".5"/><circle cx="118" cy="432" r="3" opacity=".45"/><circle cx="256" cy="48" r="3" opacity=".35"/></g>`

/** The seal in the middle of 512 units, so wide. */
function sealAt(width: number): string {
  const scale = width / 32
  const start = (512 - width) / 2
  return `<g transform="translate(${start} ${start}) scale(${scale})">${seal}</g>`
}

function picture(content: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512">${content}</svg>`,
  )
}

async function draw(name: string, content: string, size: number): Promise<void> {
  await sharp(picture(content), { density: 144 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toFile(path.join(icons, name))
}

// What a phone cuts to its own shape keeps everything within the inner four fifths.
const masked = NIGHT + sealAt(330)
const bare = sealAt(496)
// Where only the outline is shown: the letter is a hole in the seal.
const badge = `<mask id="letter"><rect width="32" height="32" fill="#fff"/><path d="${letter}" fill="#000"/></mask>
  <g transform="scale(16)"><path d="${silhouette}" fill="#fff" mask="url(#letter)"/></g>`

await Promise.all([
  draw('icon-192.png', bare, 192),
  draw('icon-512.png', bare, 512),
  draw('maskable-192.png', masked, 192),
  draw('maskable-512.png', masked, 512),
  draw('apple-touch-icon.png', NIGHT + sealAt(390), 180),
  draw('badge-96.png', badge, 96),
])
