import type { Question } from './questions.ts'
import type { Asked } from './requests.ts'
import type { Story } from './story.ts'
import { OBSERVERS } from './trace.ts'
import type { World } from './worlds.ts'

const MADE_UP = 'A'.repeat(60)

/** Everything that is one’s own, as JSON and as files. */
export function* aboutExports(): Generator<Question> {
  for (const by of OBSERVERS) {
    const credentials = { by }
    for (const format of ['json', 'zip']) {
      const path = `/api/auth/export?format=${format}`
      yield { credentials, asked: () => ({ method: 'GET', path }) }
    }
    yield { credentials, asked: () => ({ method: 'POST', path: '/api/auth/export' }) }
  }
}

/** Everybody reports everything, and whose it is. */
export function* aboutReports(story: Story): Generator<Question> {
  for (const by of OBSERVERS) {
    for (const item of story.items) {
      yield {
        credentials: { by, item },
        asked: ({ name }) => report('revelation', item.ids[name]),
      }
    }
    const author = ({ people }: World) => report('profile', people.author.id)
    yield { credentials: { by }, asked: author }
  }
  const body = { token: MADE_UP, reason: 'spam' }
  yield {
    credentials: { by: 'visitor' },
    asked: () => ({ method: 'POST', path: '/api/reports/mail', body }),
    isRefused: true,
  }
}

function report(target: 'revelation' | 'profile', id: string): Asked {
  const body = { target, target_id: id, reason: 'spam', message: 'Regardez.' }
  return { method: 'POST', path: '/api/reports', body }
}
