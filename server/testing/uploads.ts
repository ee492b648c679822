import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Folder } from '#contract/media.ts'
import type { Answer, Person, TestApp } from './test-server.ts'

export interface FileToSend {
  bytes: Buffer
  name?: string
  type?: string
  folder?: Folder
  fields?: Record<string, string>
}

interface Form {
  headers: Record<string, string>
  /** The bytes of the form before those of the file, and after them. */
  before: Buffer
  after: Buffer
}

/** The form of an upload, as a browser writes it. */
export function uploadForm({
  name = 'fichier.bin',
  type = 'application/octet-stream',
  folder,
  fields = {},
}: Omit<FileToSend, 'bytes'>): Form {
  const boundary = `----test${randomBytes(8).toString('hex')}`
  const all = { ...(folder ? { folder } : {}), ...fields }
  const parts = Object.entries(all).map(
    ([field, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const quoted = name.replaceAll('"', '%22')
  parts.push(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\nContent-Type: ${type}\r\n\r\n`,
  )
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    before: Buffer.from(parts.join('')),
    after: Buffer.from(`\r\n--${boundary}--\r\n`),
  }
}

/** Sends a file through the front door. */
export function sendFile(
  server: Pick<TestApp, 'call'>,
  as: Person | undefined,
  file: FileToSend,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const form = uploadForm(file)
  const body = Buffer.concat([form.before, file.bytes, form.after])
  return server.call('POST', '/api/upload', { as, body, headers: { ...form.headers, ...headers } })
}

/** Sends a file that must be accepted; the answer is the upload result. */
export async function uploadFile(
  server: Pick<TestApp, 'call'>,
  as: Person,
  file: FileToSend,
): Promise<Answer['body']> {
  const answer = await sendFile(server, as, file)
  if (answer.status !== 201) throw new Error(`Cannot upload: ${answer.text}`)
  return answer.body
}

/** Sends a body on a real connection, as it comes; the answer may come before all is sent. */
export function streamUpload(
  origin: string,
  as: Person,
  headers: Record<string, string>,
  body: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<Pick<Answer, 'status' | 'body'>> {
  return new Promise((resolve, reject) => {
    const sent = http.request(
      `${origin}/api/upload`,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, authorization: `Bearer ${as.token}` },
      },
      async (response) => {
        const text = Buffer.concat(await response.toArray()).toString()
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) })
        sent.destroy()
      },
    )
    sent.on('error', reject)
    // The rest of the body is cut once the answer has come.
    pipeline(body, sent).catch(() => {})
  })
}

/** The number of objects in the storage, drafts included. */
export async function countStoredFiles({ ctx }: Pick<TestApp, 'ctx'>): Promise<number> {
  const folder = path.join(ctx.config.dataDir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

/** The files under a folder that contain these bytes. */
export async function findFilesWith(folder: string, needle: Buffer): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isFile() && (await readFile(file)).includes(needle)) found.push(file)
  }
  return found
}
