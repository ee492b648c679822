import { wayOut } from '#server/features/mails/mail-links.service.ts'
import type { Question } from './questions.ts'
import type { Asked } from './requests.ts'
import { type Item, pathOf, type Story } from './story.ts'
import { OBSERVERS } from './trace.ts'
import type { World } from './worlds.ts'

const MAILED_TO = 'lecteur@exemple.test'

/** Everybody asks to be reminded of everything, and for its place in their calendar; their mails come later. */
export function* aboutReminders(story: Story): Generator<Question> {
  for (const item of story.items) {
    const at = (method: string, what: string) => (world: World) => ({
      method,
      path: `${pathOf(item, world.name)}/${what}`,
    })
    for (const by of OBSERVERS) {
      const credentials = { by, item }
      for (const method of ['PUT', 'GET']) yield { credentials, asked: at(method, 'reminder') }
      yield { credentials, asked: at('GET', 'calendar.ics') }
    }
    yield { credentials: { by: 'stranger', item }, asked: at('DELETE', 'reminder') }
  }
}

/** What whoever reads a mail about a revelation may do with the link in its footer. */
export function* aboutMailLinks(story: Story): Generator<Question> {
  const credentials = { by: 'visitor' } as const
  for (const item of story.items) {
    const post = (path: string) => (world: World) => ({
      method: 'POST',
      path: `/api/email/${path}`,
      body: { token: tokenAbout(item, world) },
    })
    const unsubscribe = (method: string) => (world: World) => ({
      method,
      path: `/api/email/unsubscribe?token=${tokenAbout(item, world)}`,
    })
    yield { credentials, asked: post('link') }
    yield { credentials, asked: unsubscribe('GET') }
    yield { credentials, asked: unsubscribe('POST') }
    yield { credentials, asked: post('link') }
    yield { credentials, asked: post('resubscribe') }
  }
  const made_up = (): Asked => ({
    method: 'POST',
    path: '/api/email/link',
    body: { token: 'A'.repeat(80) },
  })
  yield { credentials, asked: made_up, isRefused: true }
}

function tokenAbout(item: Item, { name, server }: World): string {
  const { ctx } = server
  const revelationId = item.ids[name]
  const { headers } = wayOut(
    ctx,
    { mailId: revelationId, address: MAILED_TO, stops: 'everything', userId: null },
    [{ revelationId, title: undefined }],
  )

  return /token=([\w-]+)/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
}
