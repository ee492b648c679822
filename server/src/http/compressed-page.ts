import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
// A page is made for one answer: beyond this, time is spent for few bytes.
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** A page as small as this browser takes it. It holds nothing that others may not know, so its size betrays nothing. */
export async function compressPage(
  html: string,
  accepted = '',
): Promise<{ body: Buffer; encoding?: string }> {
  const body = Buffer.from(html)
  if (/\bbr\b/.test(accepted)) return { body: await brotli(body, QUALITY), encoding: 'br' }
  if (/\bgzip\b/.test(accepted)) return { body: await promisify(gzip)(body), encoding: 'gzip' }
  return { body }
}
