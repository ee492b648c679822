import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailHandler } from '#server/features/mails/mails.worker.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { openOutbox } from '#server/platform/mail/mail-transports.ts'
import { createRevelation } from '#testing/factories.ts'
import { readMail } from '#testing/read-mail.ts'
import { PUBLIC_URL, SAMPLE_MAILS } from '#testing/sample-mails.ts'
import { signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const ADDRESS = 'bonjour@revelations.exemple.fr'
const MAX_BYTES = 100_000
const names = Object.keys(SAMPLE_MAILS)

/** Whose name is in front of « via Révélations »; the product itself where there is none. */
const PEOPLE: Record<string, string> = {
  ...{ notice: 'élise.m', 'notice without a word': 'élise.m', delivery: 'élise.m' },
  ...{ 'new-revelation': 'élise.m', 'revelation-revealed': 'élise.m', answer: 'élise.m' },
  ...{ 'sound-open': 'élise.m', reply: 'denise' },
}
const WANTING_REPLIES = ['notice', 'delivery', 'answer']
const WITNESSES = [
  'notice',
  'notice without a word',
  'delivery',
  'delivery to oneself',
  'sealed',
  'receipt',
]

let server: TestApp
let folder: string

beforeAll(async () => {
  folder = process.env.KEPT_MAILS ?? (await mkdtemp(join(tmpdir(), 'revelations-mails-')))
  server = await startTestServer({ mail: openOutbox(folder, ADDRESS) })
  server.ctx.config.http.publicUrl = PUBLIC_URL
  await createRevelation(server, await signedIn(server))
  server.clock.advance(60_000)
  await server.runJobs()
  for (const name of await readdir(folder)) await rm(join(folder, name))
  for (const name of names) await send(name)
})
afterAll(async () => {
  await server.close()
  if (!process.env.KEPT_MAILS) await rm(folder, { recursive: true })
})

/** Sends a sample as the worker sends its kind, and names its file after it. */
async function send(name: string): Promise<void> {
  const { ctx } = server
  const { handle } = mailHandler([{ name, compose: async () => SAMPLE_MAILS[name] }])
  const [mailId = ''] = await enqueueMails(ctx, name, [{ subjectId: randomUUID() }])
  await handle(ctx, { mailId } as never)
  const [file = ''] = (await readdir(folder)).filter((file) => file.startsWith(mailId))
  await rename(join(folder, file), fileOf(name))
}

function fileOf(name: string): string {
  return join(folder, `${name}.eml`)
}

async function read(name: string) {
  const raw = await readFile(fileOf(name), 'latin1')
  return { raw, ...readMail(raw) }
}

describe.each(names)('the mail « %s »', (name) => {
  const sample = SAMPLE_MAILS[name]

  it('comes from a person, or from the product, and asks for answers only where one wants them', async () => {
    const { headers } = await read(name)
    const person = PEOPLE[name]
    expect(headers.get('from')).toBe(`${person ? `${person} via ` : ''}Révélations <${ADDRESS}>`)
    const wants = WANTING_REPLIES.includes(name)
    expect(headers.get('reply-to')).toBe(wants ? 'elise@exemple.fr' : undefined)
  })

  it('has the headers that mailboxes ask for', async () => {
    const { headers } = await read(name)
    expect(headers.get('message-id')).toMatch(/^<[\da-f-]{36}@revelations\.exemple\.fr>$/)
    expect(headers.get('date')).toBeTruthy()
    expect(headers.get('mime-version')).toBe('1.0')
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.get('to')).toBe(`"${sample?.to}" <${sample?.to}>`)
    expect([...headers.values()].filter((value) => value.trim() === '')).toEqual([])
    const isStoppable = sample?.stops !== 'nothing'
    expect(headers.get('list-unsubscribe')?.startsWith(`<${PUBLIC_URL}/api/`)).toBe(
      isStoppable ? true : undefined,
    )
    expect(headers.get('list-unsubscribe-post')).toBe(
      isStoppable ? 'List-Unsubscribe=One-Click' : undefined,
    )
  })

  it('has a subject of a person: short, without a machine’s words', async () => {
    const { headers } = await read(name)
    const subject = headers.get('subject') ?? ''
    expect(subject.length).toBeLessThanOrEqual(70)
    expect(subject).not.toMatch(/notification|no-?reply|!/i)
    expect(subject).not.toContain('Garde ton')
  })

  it('says the same in text as in HTML, with one button at most', async () => {
    const { text, html } = await read(name)
    for (const block of sample?.blocks ?? []) {
      if (block.kind !== 'button') continue
      expect(text).toContain(block.url)
      expect(html).toContain(block.url)
    }
    expect(html.match(/button"/g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(html).toMatch(/<html lang="fr"/)
    expect(html).toContain('prefers-color-scheme: dark')
    const words = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    const heading = /<h1[^>]*>([^<]+)/.exec(html)?.[1] ?? ''
    expect(words(text)).toContain(words(heading.replaceAll('&#39;', "'")))
  })

  it('shows no hash: the proof is a file of the mails of a letter', async () => {
    const { raw, text, html } = await read(name)
    const readable = `${text}\n${html}`.replace(/https?:\S+/g, '')
    expect(readable).not.toMatch(
      /[A-Za-z0-9+/]{30,}={0,2}(?![\w.])|[\da-f]{32}|journal des scellés/,
    )
    expect(raw.includes('filename=preuve.txt')).toBe(WITNESSES.includes(name))
    expect(raw).toContain('Content-ID: <sceau>')
    expect(html).toContain('src="cid:sceau"')
  })

  it('weighs less than 100 kB', async () => {
    expect((await readFile(fileOf(name))).length).toBeLessThan(MAX_BYTES)
  })
})
