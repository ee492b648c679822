// Compares the pictures of two folders written by `E2E_SCREENS=<folder> npm run e2e:all -- every-page`:
// `node script/compare-screens.ts <before> <after> [<folder for pictures of the differences>]`.
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'

/** Of 255: what two renderings of the same page may differ by. */
const TOLERANCE = 8

const [before, after, drawn] = parseArgs({ allowPositionals: true }).positionals
if (!before || !after) throw new Error('Name the folder of before and the folder of after')

async function listPictures(folder: string): Promise<Set<string>> {
  const names = await readdir(folder, { recursive: true })
  return new Set(names.filter((name) => name.endsWith('.png')))
}

async function loadPixels(file: string) {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

const [names, others] = [await listPictures(before), await listPictures(after)]
const rows: { picture: string; difference: string }[] = []
for (const name of [...new Set([...names, ...others])].sort()) {
  if (!names.has(name) || !others.has(name)) {
    rows.push({ picture: name, difference: names.has(name) ? 'only before' : 'only after' })
    continue
  }
  const one = await loadPixels(path.join(before, name))
  const other = await loadPixels(path.join(after, name))
  if (one.width !== other.width || one.height !== other.height) {
    const sizes = `${one.width} × ${one.height}, then ${other.width} × ${other.height}`
    rows.push({ picture: name, difference: sizes })
    continue
  }
  const difference = Buffer.alloc(one.width * one.height)
  let count = 0
  for (let pixel = 0; pixel < difference.length; pixel += 1) {
    for (let at = pixel * 3; at < pixel * 3 + 3; at += 1) {
      if (Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0)) > TOLERANCE) difference[pixel] = 255
    }
    if (difference[pixel]) count += 1
  }
  if (count === 0) continue
  rows.push({ picture: name, difference: `${count} pixels` })
  if (!drawn) continue
  await mkdir(path.join(drawn, path.dirname(name)), { recursive: true })
  const { width, height } = one
  await sharp(difference, { raw: { width, height, channels: 1 } }).toFile(path.join(drawn, name))
}
console.log(`${names.size} pictures before, ${others.size} after, ${rows.length} differ.`)
console.table(rows)
