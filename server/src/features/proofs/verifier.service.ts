import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AppContext } from '#server/context.ts'
import { getLogKeys, lastCheckpoint } from './log.service.ts'

/** `npm run build` writes them (`web/verifier/build.ts`). */
const FOLDER = path.resolve(import.meta.dirname, '../../../../web/dist-server')
/** In the built page, in the place of what only the server knows. */
const NO_LOG = '<script type="application/json" id="known-log">null</script>'

/** What a verifier carries: nothing in a proof can add to it. */
interface CarriedLog {
  origin: string
  key: string
  keys_note: string | null
  /** The last one when the page was downloaded. */
  checkpoint: string
}

/** The page that verifies proofs without this site, with the key of its log inside; undefined without a build. */
export async function verifierPage(ctx: Pick<AppContext, 'db'>): Promise<string | undefined> {
  const page = await readBuilt('verifier.html')
  if (page === undefined) return undefined
  const log = await carriedLog(ctx)
  // No text of it can end the element.
  const json = JSON.stringify(log).replaceAll('<', '\\u003c')
  return page.replace(NO_LOG, () => NO_LOG.replace('null', () => json))
}

/**
 * The SHA-256 of both, as `sha256sum` writes them: of the page as it was built, before a log is put in. The same stand in
 * docs/verifier.sha256. Undefined without a build.
 */
export async function publishedHashes(): Promise<string | undefined> {
  const [page, format] = await Promise.all([readBuilt('verifier.html'), formatPage()])
  if (page === undefined || !format) return undefined
  return `${sha256Of(page)}  verificateur.html\n${format.sha256}  format-de-preuve.md\n`
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The document from which anybody writes a verifier of their own, with its SHA-256 in hexadecimal. */
export async function formatPage(): Promise<{ text: string; sha256: string } | undefined> {
  const text = await readBuilt('format-de-preuve.md')
  if (text === undefined) return undefined
  return { text, sha256: sha256Of(text) }
}

/** Null while the log is empty. */
async function carriedLog(ctx: Pick<AppContext, 'db'>): Promise<CarriedLog | null> {
  const last = await lastCheckpoint(ctx)
  if (!last) return null
  const { origin, key, statement } = await getLogKeys(ctx)
  return { origin, key, keys_note: statement, checkpoint: last.note }
}

const built = new Map<string, Promise<string | undefined>>()

/** Each is read once. */
function readBuilt(name: string): Promise<string | undefined> {
  const reading =
    built.get(name) ?? readFile(path.join(FOLDER, name), 'utf8').catch(() => undefined)
  built.set(name, reading)
  return reading
}
