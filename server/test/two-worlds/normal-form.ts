import { createHash } from 'node:crypto'
import { readZip } from '#test/read-zip.ts'
import { isText, type Seen } from './requests.ts'

const OPAQUE = new RegExp(
  [
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    // Commitments and the like.
    '(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])',
    // How one begins, as its page shows it, and how it goes on on paper.
    '(?<=<code class="text-ink [^"]*">)[0-9a-f]{12}(?=<)',
    '(?<=<span class="hidden print:inline">)[0-9a-f]{52}(?=<)',
    // Roots, hashes of leaves and signatures of the log, and its key.
    '(?:(?<=\\\\n)|(?<![\\w+/]))[A-Za-z0-9+/]{43}=(?!=)',
    '(?<![\\w+/])[A-Za-z0-9+/]{91}=(?!=)',
    '\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]{44}',
    // Where stored bytes are.
    'media/[0-9a-f]{2}/[0-9a-f]{32}',
    '(?<=/)[0-9a-f]{32}(?=\\.webp)',
    '(?<=^etag: )"[\\w-]{22}"$',
    // Sealed links in the footers of mails.
    '(?<=(?:token|jeton)=)[\\w-]{60,}',
    // Session tokens, personal keys, signatures of tickets.
    '(?<![\\w-])[\\w-]{43}(?![\\w-])',
  ].join('|'),
  'gm',
)
const TICKET = /(?<=token=)[\w-]+(?=\.[\w-]{43})/g
const CURSOR = /(?<="next_cursor":")[\w-]+/g

/** What differs by chance between two servers, named by order of first appearance: « the third id ». */
export interface NormalForm {
  of(text: string): string
  /** Whatever was masked so far. */
  masked(): string[]
}

export function createNormalForm(): NormalForm {
  const names = new Map<string, string>()
  function nameOf(opaque: string): string {
    const name = names.get(opaque) ?? `‹${names.size + 1}›`
    names.set(opaque, name)
    return name
  }
  return {
    // What a ticket or a cursor says is compared too: only its ids and its signature are chance.
    of: (text) => text.replace(TICKET, decode).replace(CURSOR, decode).replace(OPAQUE, nameOf),
    masked: () => [...names.keys()],
  }
}

function decode(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString()
}

/** The same whatever the chance: to put in order what no order is promised for. */
export function withoutChance(text: string): string {
  return text.replace(OPAQUE, '‹›')
}

/** An answer as text: status, headers but the date of the wall clock, and the body or its hash. */
export function textOf(seen: Seen): string {
  const headers = Object.entries(seen.headers)
    .filter(([name]) => name !== 'date')
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
  return [`HTTP ${seen.status}`, ...headers, '', bodyOf(seen)].join('\n')
}

function bodyOf(seen: Seen): string {
  // Lines of a calendar are folded wherever an id happens to stand.
  if (isText(seen)) return seen.bytes.toString().replaceAll('\r\n ', '')
  return isZip(seen) ? filesIn(seen.bytes) : fingerprint(seen.bytes)
}

function isZip({ headers }: Seen): boolean {
  return headers['content-type'] === 'application/zip'
}

/** Its files one by one: ids stand in those that are text. */
function filesIn(bytes: Buffer): string {
  return [...readZip(bytes)]
    .map(([path, content]) => {
      const isText = /(\.json|\.html|SHA256SUMS)$/.test(path)
      return `${path}: ${isText ? content.toString() : fingerprint(content)}`
    })
    .join('\n')
}

/** Too short to be taken for something opaque, which would be masked. */
function fingerprint(bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('hex')
  return `${bytes.length} bytes, ${hash.slice(0, 32)}`
}

/** A line of the log without what the wall clock and the machine put in it. */
export function logText(line: string): string {
  const { time, pid, hostname, reqId, ms, ...said } = JSON.parse(line)
  return JSON.stringify(said)
}
