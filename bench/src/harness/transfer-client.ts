import { createReadStream } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { type ResumableUpload, uploadInParts } from './resumable-client.ts'

/** Sends a file as a browser does, in one form. */
export interface UploadOrder extends ResumableUpload {
  kind: 'upload'
}

/** Reads ranges of one file over several connections at once, each one range after the other. */
export interface ReadOrder {
  kind: 'read'
  url: string
  /** By connection: the first and the last byte of each range. */
  connections: [first: number, last: number][][]
}

/** Sends a file as the page does, in parts, and finishes it. */
export interface ResumableOrder extends ResumableUpload {
  kind: 'resumable'
}

export type TransferOrder = UploadOrder | ResumableOrder | ReadOrder
export type TransferResult = { seconds: number; answer: string } | { failure: string }

const BOUNDARY = '----revelations-bench'
const READ_BYTES = 1024 * 1024

async function upload({ url, headers, file, fileBytes }: UploadOrder): Promise<string> {
  const disposition = 'Content-Disposition: form-data'
  const before = `--${BOUNDARY}\r\n${disposition}; name="folder"\r\n\r\nvideos\r\n--${BOUNDARY}\r\n${disposition}; name="file"; filename="film.mp4"\r\nContent-Type: video/mp4\r\n\r\n`
  const after = `\r\n--${BOUNDARY}--\r\n`
  const sent = request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': before.length + fileBytes + after.length,
    },
  })
  const answered = new Promise<string>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () =>
        response.statusCode === 201
          ? resolve(text)
          : reject(new Error(`Upload: ${response.statusCode} ${text}`)),
      )
    })
  })
  sent.write(before)
  await pipeline(createReadStream(file, { highWaterMark: READ_BYTES }), sent, { end: false })
  sent.end(after)
  return answered
}

/** On a bare socket, into one buffer: on a small machine an expensive client would be measured instead. */
function readRanges(url: URL, ranges: [number, number][]): Promise<void> {
  return new Promise((resolve, reject) => {
    let next = 0
    let head = ''
    let missing = 0
    const socket = connect({
      host: url.hostname,
      port: Number(url.port),
      onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: receive },
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection')))
    requestNext()

    function requestNext(): void {
      const range = ranges[next]
      next += 1
      if (!range) {
        resolve()
        socket.destroy()
        return
      }
      head = ''
      missing = range[1] - range[0] + 1
      socket.write(
        `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nRange: bytes=${range[0]}-${range[1]}\r\n\r\n`,
      )
    }

    function receive(size: number, bytes: Uint8Array): boolean {
      let body = size
      if (!head.endsWith('\r\n\r\n')) {
        const text = Buffer.from(bytes.buffer, bytes.byteOffset, size).toString('latin1')
        const end = text.indexOf('\r\n\r\n')
        head += end < 0 ? text : text.slice(0, end + 4)
        if (end < 0) return true
        const length = /^content-length: (\d+)\r$/im.exec(head)?.[1]
        if (!head.startsWith('HTTP/1.1 206') || Number(length) !== missing) {
          socket.destroy(new Error(`Not the requested range: ${head}`))
          return false
        }
        body = size - (end + 4)
      }
      missing -= body
      if (missing === 0) requestNext()
      return true
    }
  })
}

async function execute(order: TransferOrder): Promise<string> {
  if (order.kind === 'upload') return upload(order)
  if (order.kind === 'resumable') return uploadInParts(order)
  const url = new URL(order.url)
  await Promise.all(order.connections.map((ranges) => readRanges(url, ranges)))
  return ''
}

process.on('disconnect', () => process.exit(0))
process.on('message', async (order: TransferOrder) => {
  const startedAt = performance.now()
  const result: TransferResult = await execute(order).then(
    (answer) => ({ seconds: (performance.now() - startedAt) / 1000, answer }),
    (error) => ({ failure: String(error) }),
  )
  process.send?.(result)
})
