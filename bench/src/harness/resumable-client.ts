import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** The size of a part that the page sends. */
const PART_BYTES = 8 * 1024 * 1024

/** As in the page, the connection stays open from one part to the next. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** A file to send to `url` in parts. */
export interface ResumableUpload {
  url: string
  headers: Record<string, string>
  file: string
  fileBytes: number
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Creates, sends part after part, each with its sum, and finishes the file, as the page does when nothing is cut. */
export async function uploadInParts(
  { url, headers, file, fileBytes }: ResumableUpload,
  onSent: () => unknown = () => undefined,
): Promise<string> {
  const tus = { ...headers, 'tus-resumable': '1.0.0' }
  const created = await send('POST', url, {
    ...tus,
    'upload-length': fileBytes,
    'upload-metadata': `filename ${base64('film.mp4')},filetype ${base64('video/mp4')}`,
  })
  const upload = new URL(created.headers.location ?? '', url).href
  const source = await open(file)
  try {
    const part = Buffer.allocUnsafe(PART_BYTES)
    for (let offset = 0; offset < fileBytes; ) {
      const { bytesRead } = await source.read(part, 0, PART_BYTES, offset)
      const bytes = part.subarray(0, bytesRead)
      await send(
        'PATCH',
        upload,
        {
          ...tus,
          'upload-offset': offset,
          'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}`,
          'content-type': 'application/offset+octet-stream',
          'content-length': bytesRead,
        },
        bytes,
      )
      offset += bytesRead
    }
  } finally {
    await source.close()
  }
  await onSent()
  const body = JSON.stringify({ folder: 'videos' })
  const finished = await send(
    'POST',
    `${upload}/file`,
    { ...headers, 'content-type': 'application/json', 'content-length': body.length },
    body,
  )
  return finished.text
}

async function send(
  method: string,
  url: string,
  headers: Record<string, string | number>,
  body: string | Buffer = '',
): Promise<Answer> {
  const sent = request(url, { method, headers, agent })
  const answered = new Promise<Answer>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      const { statusCode: status = 0, headers } = response
      if (status < 300) resolve({ status, headers, text })
      else reject(new Error(`${method} ${url}: ${status} ${text}`))
    })
  })
  sent.end(body)
  return answered
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
