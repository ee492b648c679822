import { randomUUID } from 'node:crypto'
import { type Person, registered } from '#test/test-server.ts'
import { uploadFile } from '#test/uploads.ts'
import { type Client, clientOf } from './client.ts'

/** What the server said it has. */
export interface Acknowledged {
  id: string
  author: Person
  content: string
  targetEmail: string
}

/** A free account holds five; one more may have been sealed when the answer was lost with its process. */
const PER_AUTHOR = 4
const WRITERS = 4

/** People, registered by turns through each api. */
export async function register(origins: readonly string[], creates: number): Promise<Person[]> {
  const count = WRITERS * Math.ceil(creates / PER_AUTHOR / WRITERS)
  const people: Person[] = []
  for (let n = 0; n < count; n += 1) {
    people.push(await registered(clientOf(origins[n % origins.length] ?? '', `192.0.2.${n}`)))
  }
  return people
}

/**
 * Seals letters with a video that open at once, several at the same time and by turns through each api; what one of them
 * does not answer is tried again through the next, as a person does.
 */
export async function createMany(
  origins: readonly [string, string],
  authors: readonly Person[],
  { creates, video }: { creates: number; video: Buffer },
  onAcknowledged: (count: number) => void,
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = []
  const apis = [clientOf(origins[0]), clientOf(origins[1])] as const

  async function createOne(n: number): Promise<Acknowledged> {
    const author = authors[n % authors.length] as Person
    const [one, other] = n % 2 ? [apis[1], apis[0]] : apis
    const ways = [
      { fileTo: one, letterTo: other },
      { fileTo: other, letterTo: other },
      { fileTo: one, letterTo: one },
    ]
    const failures: unknown[] = []
    for (const way of ways) {
      try {
        return await create(way, author, video)
      } catch (error) {
        failures.push(error)
      }
    }
    throw new AggregateError(failures, 'No api took it')
  }

  // Each writer has its own authors: nobody may send more than two files at once, and what a killed api was taking in
  // counts for minutes.
  async function write(writer: number): Promise<void> {
    for (let n = writer; n < creates; n += WRITERS) {
      onAcknowledged(acknowledged.push(await createOne(n)))
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  return acknowledged
}

/** Seals one letter with a video that opens at once. */
export async function create(
  { fileTo, letterTo }: { fileTo: Client; letterTo: Client },
  author: Person,
  video: Buffer,
): Promise<Acknowledged> {
  const facts = { content: `Lettre ${randomUUID()}`, targetEmail: `${randomUUID()}@exemple.test` }
  const file = { bytes: video, name: 'film.mp4', folder: 'videos', type: 'video/mp4' } as const
  const { url } = await uploadFile(fileTo, author, file)
  const { status, body, text } = await letterTo.call('POST', '/api/revelations', {
    as: author,
    body: {
      title: 'Sur plusieurs machines',
      content: facts.content,
      target_email: facts.targetEmail,
      reveal_date: new Date().toISOString(),
      file_url: url,
    },
  })
  if (status !== 201) throw new Error(`Not sealed: ${text}`)
  return { id: body.revelation.id, author, ...facts }
}
