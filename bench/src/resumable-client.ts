import { createReadStream } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { ResumableOrder } from './transfer-client.ts'

/** As much as the page puts in one request. */
const PART_BYTES = 8 * 1024 * 1024
const READ_BYTES = 1024 * 1024

/** The page’s own connection is kept open from one part to the next. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Creates, sends part after part, and asks for the file: what the page does when nothing is cut. */
export async function uploadInParts(order: ResumableOrder): Promise<string> {
  const { url, headers, file, fileBytes } = order
  const tus = { ...headers, 'tus-resumable': '1.0.0' }
  const created = await ask('POST', url, {
    ...tus,
    'upload-length': fileBytes,
    'upload-metadata': `filename ${base64('film.mp4')},filetype ${base64('video/mp4')}`,
  })
  const upload = new URL(created.headers.location ?? '', url).href
  for (let offset = 0; offset < fileBytes; offset += PART_BYTES) {
    const end = Math.min(offset + PART_BYTES, fileBytes)
    const part = { file, start: offset, end: end - 1 }
    await ask(
      'PATCH',
      upload,
      {
        ...tus,
        'upload-offset': offset,
        'content-type': 'application/offset+octet-stream',
        'content-length': end - offset,
      },
      part,
    )
  }
  const body = JSON.stringify({ folder: 'videos' })
  const finished = await ask(
    'POST',
    `${upload}/file`,
    { ...headers, 'content-type': 'application/json', 'content-length': body.length },
    body,
  )
  return finished.text
}

async function ask(
  method: string,
  url: string,
  headers: Record<string, string | number>,
  body: string | { file: string; start: number; end: number } = '',
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
  if (typeof body === 'string') sent.end(body)
  else {
    const { file, ...range } = body
    await pipeline(createReadStream(file, { ...range, highWaterMark: READ_BYTES }), sent)
  }
  return answered
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
