/** A mail parsed from its bytes, without the library that wrote it. */
export interface ReadMail {
  headers: Map<string, string>
  text: string
  html: string
  /** Those of text, by their names. */
  attachments: Record<string, string>
}

interface Part {
  headers: Map<string, string>
  body: string
}

export function readMail(raw: Buffer | string): ReadMail {
  const root = partOf(raw.toString('latin1'))
  const leaves = leavesOf(root)
  return {
    headers: new Map([...root.headers].map(([name, value]) => [name, readWords(value)])),
    text: contentOf(leaves, 'text/plain'),
    html: contentOf(leaves, 'text/html'),
    attachments: Object.fromEntries(
      leaves.flatMap((leaf) => {
        const name = attachmentNameOf(leaf)
        return name ? [[name, contentOf([leaf], 'text/')]] : []
      }),
    ),
  }
}

function attachmentNameOf({ headers }: Part): string | undefined {
  return /^attachment; filename="?([^";]+)/.exec(headers.get('content-disposition') ?? '')?.[1]
}

function partOf(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  if (end === -1) throw new Error('A mail has a blank line after its headers')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const [, name, value] = /^([\x21-\x39\x3B-\x7E]+): ?(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined) throw new Error(`Not a header: ${line}`)
      return [name.toLowerCase(), value]
    }),
  )
  if (headers.size !== lines.length) throw new Error('A header is there twice')
  return { headers, body: raw.slice(end + 4) }
}

function leavesOf(part: Part): Part[] {
  const boundary = /boundary="?([^";]+)"?/.exec(part.headers.get('content-type') ?? '')?.[1]
  if (!boundary) return [part]
  const parts = part.body.split(`--${boundary}`).slice(1, -1)
  return parts.flatMap((inner) => leavesOf(partOf(inner.replace(/^\r\n|\r\n$/g, ''))))
}

function contentOf(leaves: Part[], type: string): string {
  const leaf = leaves.find(({ headers }) => headers.get('content-type')?.startsWith(type))
  if (!leaf) return ''
  const encoding = leaf.headers.get('content-transfer-encoding')
  if (encoding === 'base64') return Buffer.from(leaf.body, 'base64').toString()
  if (encoding !== 'quoted-printable') return Buffer.from(leaf.body, 'latin1').toString()
  return readQuoted(leaf.body.replace(/=\r\n/g, '')).replaceAll('\r\n', '\n')
}

/** RFC 2047: « =?UTF-8?Q?R=C3=A9v?= ». */
function readWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : readQuoted(text.replaceAll('_', ' ')),
    )
}

function readQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
