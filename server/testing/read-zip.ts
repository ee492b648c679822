import { crc32 } from 'node:zlib'

const DIRECTORY_ENTRY = 0x02014b50
const END = 0x06054b50
const UTF8 = 0x0800

/** The files of a ZIP without compression, by path, from its directory; throws when a file contradicts the directory. */
export function readZip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || bytes.readUInt32LE(end) !== END) throw new Error('No end of a ZIP')
  const files = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error(`No file at ${at}`)
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((place) =>
      bytes.readUInt16LE(at + place),
    ) as [number, number, number]
    const path = bytes.toString('utf8', at + 46, at + 46 + nameSize)
    if ((bytes.readUInt16LE(at + 8) & UTF8) === 0)
      throw new Error(`${path} is not said to be UTF-8`)
    if (files.has(path)) throw new Error(`${path} is there twice`)
    const content = contentAt(bytes, bytes.readUInt32LE(at + 42), bytes.readUInt32LE(at + 24))
    if (crc32(content) !== bytes.readUInt32LE(at + 16)) throw new Error(`${path} is damaged`)
    files.set(path, content)
    at += 46 + nameSize + extraSize + commentSize
  }
  return files
}

function contentAt(bytes: Buffer, header: number, size: number): Buffer {
  const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
  return bytes.subarray(start, start + size)
}
