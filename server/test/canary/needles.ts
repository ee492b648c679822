/** One thing that must not be found, in one of the forms it could take. */
export interface Needle {
  /** What it is and how it is written, for who reads the failure. */
  name: string
  bytes: Buffer
}

/** A text in every form in which it could be written down. */
export function formsOfText(text: string): Needle[] {
  const needles = [
    ...formsOfBytes(text, Buffer.from(text)),
    ...formsOfBytes(`${text}, decomposed`, Buffer.from(text.normalize('NFD'))),
    ...formsOfBytes(`${text}, UTF-16`, Buffer.from(text, 'utf16le')),
    ...formsOfBytes(`${text}, UTF-16 BE`, Buffer.from(text, 'utf16le').swap16()),
    { name: `${text}, latin-1`, bytes: Buffer.from(text, 'latin1') },
    { name: `${text}, in an address`, bytes: Buffer.from(encodeURIComponent(text)) },
    {
      name: `${text}, in a form`,
      bytes: Buffer.from(new URLSearchParams({ text }).toString().slice(5)),
    },
    { name: `${text}, lower case`, bytes: Buffer.from(text.toLowerCase()) },
    { name: `${text}, without accents`, bytes: Buffer.from(unaccented(text)) },
  ]
  return [...new Map(needles.map((needle) => [needle.bytes.toString('hex'), needle])).values()]
}

function unaccented(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Bytes as they are, in hexadecimal and in base64 wherever in it they begin. */
export function formsOfBytes(name: string, bytes: Buffer): Needle[] {
  const hex = bytes.toString('hex')
  return [
    { name, bytes },
    { name: `${name}, hex`, bytes: Buffer.from(hex) },
    { name: `${name}, HEX`, bytes: Buffer.from(hex.toUpperCase()) },
    ...[0, 1, 2].flatMap((offset) => {
      const inside = base64Inside(bytes, offset)
      const url = inside.replaceAll('+', '-').replaceAll('/', '_')
      return [...new Set([inside, url])].map((text) => ({
        name: `${name}, base64 at ${offset}`,
        bytes: Buffer.from(text),
      }))
    }),
  ]
}

/** The characters of base64 that depend on these bytes alone when `offset` others stand before them. */
function base64Inside(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const start = Math.ceil((offset * 8) / 6)
  const end = Math.floor(((offset + bytes.length) * 8) / 6)
  return whole.slice(start, end)
}

/** Pieces from all over a file, long enough to be nowhere by chance. */
export function piecesOf(name: string, bytes: Buffer, count = 6): Needle[] {
  const length = 24
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor(((bytes.length - length) * index) / (count - 1))
    return bytes.subarray(start, start + length)
  })
    .filter((piece) => new Set(piece).size > 12)
    .flatMap((piece, index) => formsOfBytes(`piece ${index + 1} of ${name}`, piece))
}
