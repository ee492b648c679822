import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '#testing/event-page.ts'
import { createRevelation } from '#testing/factories.ts'
import { type Client, clientOf } from '#testing/http-client.ts'
import { picture } from '#testing/media-files.ts'
import { findFreePort } from '#testing/program.ts'
import { type Person, registered, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadForm } from '#testing/uploads.ts'

const EXAMPLE = path.resolve(import.meta.dirname, '../../deploy/nginx/revelations.conf')
const FILE_BYTES = 8 * 1024 * 1024

let folder: string
let nginx: ChildProcess
let apis: [TestApp, TestApp]
let client: Client
let person: Person

function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The example, with nothing changed but where it listens, what it stands before and where its files are. */
async function writeConfiguration(port: number, upstreams: string[]): Promise<string> {
  const plainPort = await findFreePort()
  const example = (await readFile(EXAMPLE, 'utf8'))
    .replace(/ {4}server 127\.0\.0\.1:3001/, `    server ${upstreams[0]}`)
    .replace(/ {4}server 127\.0\.0\.1:3002/, `    server ${upstreams[1]}`)
    .replaceAll(/ {4}listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('exemple.fr', 'localhost')
    .replaceAll('/etc/letsencrypt/live/localhost', folder)
    .replaceAll('/var/log/nginx', folder)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const configuration = `
    daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
    events { worker_connections 256; }
    http { ${places.map((place) => `${place}_temp_path ${folder}/temp/${place};`).join(' ')}
      ${example} }`
  const file = path.join(folder, 'nginx.conf')
  await writeFile(file, configuration)
  return file
}

async function createCertificate(): Promise<void> {
  const files = ['-keyout', `${folder}/privkey.pem`, '-out', `${folder}/fullchain.pem`]
  const facts = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...files, ...facts])
  const certificate = await readFile(`${folder}/fullchain.pem`, 'utf8')
  setDefaultCACertificates([...getCACertificates('default'), certificate])
}

/** nginx says nothing when it is ready: it answers, or there is nobody yet. */
async function untilItAnswers(): Promise<void> {
  for (;;) {
    const answer = await client.call('GET', '/api/health').catch(() => undefined)
    if (answer?.status === 200) return
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`)
  }
}

describe.skipIf(!hasNginx())('behind nginx, as deploy/nginx sets it up', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'revelations-nginx-'))
    await mkdir(path.join(folder, 'temp'))
    const first = await startTestServer({ rateLimits: true })
    const { databaseUrl, dataDir, s3 } = first.ctx.config
    const second = await startTestServer({
      rateLimits: true,
      config: { databaseUrl, dataDir, s3 },
    })
    apis = [first, second]
    const upstreams = await Promise.all(apis.map(async (api) => new URL(await api.listen()).host))
    await createCertificate()
    const port = await findFreePort()
    const configuration = await writeConfiguration(port, upstreams)
    nginx = spawn('nginx', ['-c', configuration, '-p', folder], { stdio: 'inherit' })
    client = clientOf(`https://127.0.0.1:${port}`)
    await untilItAnswers()
    person = await registered(client)
  })
  afterAll(async () => {
    nginx?.kill('SIGTERM')
    if (nginx?.exitCode === null) await once(nginx, 'exit')
    for (const api of (apis ?? []).toReversed()) await api.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('an upload is counted as it arrives, and no byte of it waits in a file of the proxy', async () => {
    const { headers, before, after } = uploadForm({ name: 'grand.png', folder: 'images' })
    const bytes = Buffer.concat([await picture('png'), Buffer.alloc(FILE_BYTES)])
    const request = https.request(`${client.origin}/api/upload`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${person.token}`,
        'content-length': before.length + bytes.length + after.length,
      },
    })
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>
    request.write(before)
    request.write(bytes.subarray(0, FILE_BYTES / 2))
    // The rest leaves only once the api knows of the file.
    while ((await apis[0].ctx.pool.query('select from media')).rowCount === 0) {}
    expect(await filesUnder(path.join(folder, 'temp'))).toEqual([])
    request.end(Buffer.concat([bytes.subarray(FILE_BYTES / 2), after]))
    const [response] = await answered
    response.resume()
    expect(response.statusCode).toBe(201)
    expect(await filesUnder(path.join(folder, 'temp'))).toEqual([])
  })

  it('refuses at once what is larger than any file', async () => {
    const request = https.request(`${client.origin}/api/upload`, {
      method: 'POST',
      headers: {
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 700 * 2 ** 20,
      },
    })
    request.on('error', () => undefined)
    request.flushHeaders()
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    expect(response.statusCode).toBe(413)
    request.destroy()
  })

  it('a page hears of what happens as it happens', async () => {
    const { id } = await createRevelation(apis[0], person)
    const page = await openPage(client.origin, person, [id])
    await client.call('POST', '/api/comments', {
      as: person,
      body: { revelation_id: id, content: 'Tout de suite' },
    })
    const { data } = await page.next((event) => event.data.changed?.includes('comments') ?? false)
    expect(data.comments_count).toBe(1)
    page.leave()
  })

  it('each visitor has the address nginx saw, whatever they claim', async () => {
    const left: string[] = []
    for (const claimed of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      const answer = await clientOf(client.origin, claimed).call(
        'POST',
        '/api/auth/forgot-password',
        { body: { email: 'personne@exemple.test' } },
      )
      left.push(answer.headers['x-ratelimit-remaining'] ?? '')
    }
    expect(left).toEqual(['19', '18', '17'])
  })

  it('its logs contain no address', async () => {
    await client.call('GET', '/api/revelations?search=secret-dans-une-adresse')
    const log = await readFile(path.join(folder, 'revelations.log'), 'utf8')
    expect(log.split('\n').length).toBeGreaterThan(3)
    const errors = await readFile(path.join(folder, 'revelations-error.log'), 'utf8')
    expect(log + errors).not.toMatch(/secret-dans-une-adresse|\/api\//)
  })

  it('goes on with one api when the other has gone', async () => {
    await apis[1].app.close()
    for (let n = 0; n < 6; n += 1) {
      expect((await client.call('GET', '/api/auth/verify-token', { as: person })).status).toBe(200)
    }
  })
})

async function filesUnder(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
