import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EventPage, openPage } from '#testing/event-page.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let origin: string

beforeAll(async () => {
  server = await startTestServer()
  origin = await server.listen()
})
afterAll(() => server.close())

const AT = '/api/relationships'

it('sends an event to both people, and nobody else, each time their relation changes', async () => {
  const [anna, bruno, other] = [
    await signedIn(server),
    await signedIn(server),
    await signedIn(server),
  ]
  const pages = await Promise.all([anna, bruno].map((person) => openPage(origin, person)))
  const elsewhere = await openPage(origin, other)
  const call = (as: Person, method: string, path: string, body?: object) =>
    server.call(method, AT + path, { as, body })
  const heardByBoth = () => Promise.all(pages.map(hearsOfTies))
  const sendRequest = async (as: Person, receiver: Person) => {
    const body = { receiver_id: receiver.id, type: 'friend' }
    const { request } = (await call(as, 'POST', '/request', body)).body
    await heardByBoth()
    return request.id
  }
  const first = await sendRequest(anna, bruno)
  await call(anna, 'DELETE', `/request/${first}`)
  await heardByBoth()
  const second = await sendRequest(anna, bruno)
  await call(bruno, 'PUT', `/request/${second}`, { action: 'decline' })
  await heardByBoth()
  const third = await sendRequest(bruno, anna)
  const accepted = await call(anna, 'PUT', `/request/${third}`, { action: 'accept' })
  await heardByBoth()
  await call(bruno, 'DELETE', `/${accepted.body.relationship.id}`)
  await heardByBoth()
  await call(anna, 'PUT', `/blocks/${bruno.id}`)
  await heardByBoth()
  await call(anna, 'DELETE', `/blocks/${bruno.id}`)
  await heardByBoth()
  const heard = pages.map(countOfTies)
  // What changes nothing, or is refused, tells nobody anything.
  await call(anna, 'DELETE', `/blocks/${bruno.id}`)
  await call(bruno, 'PUT', `/request/${third}`, { action: 'accept' })
  await call(bruno, 'DELETE', `/${accepted.body.relationship.id}`)
  await sendRequest(anna, bruno)
  expect(pages.map(countOfTies)).toEqual(heard.map((count) => count + 1))
  expect(elsewhere.events.map(({ name }) => name)).toEqual(['ready'])
  for (const page of [...pages, elsewhere]) page.leave()
})

function countOfTies({ events }: EventPage): number {
  return events.filter(({ name }) => name === 'relationships').length
}

async function hearsOfTies(page: EventPage): Promise<void> {
  const { data } = await page.next(({ name }) => name === 'relationships')
  expect(data).toEqual({})
}
