import { aboutAccounts } from './account-questions.ts'
import { aboutMailLinks, aboutReminders } from './mail-questions.ts'
import { turnPages } from './paging.ts'
import { aboutPeople, aboutTies } from './people-questions.ts'
import {
  aboutEverything,
  aboutFiles,
  aboutItems,
  aboutWords,
  FEED,
  meddling,
  type Question,
} from './questions.ts'
import { aboutExports, aboutReports } from './report-questions.ts'
import type { Seen } from './requests.ts'
import type { Pair } from './secrets.ts'
import {
  askBoth,
  compareAnswers,
  compareTraces,
  inBoth,
  requireRefusal,
  type Story,
  sendBoth,
} from './story.ts'
import { OBSERVERS } from './trace.ts'

const AT_ONCE = 8

/** Every observer asks for every revelation, and turns the pages of all of them. */
export async function sweepItems(story: Story): Promise<void> {
  await askForItems(story)
  const query: [string, string][] = [
    ['sort', 'popular'],
    ['limit', '1'],
  ]
  const pageByPage = { path: () => FEED, query, pages: 9 }
  // All of them to their end: what went on after a difference would fall into the next trace.
  const turned = await Promise.allSettled(OBSERVERS.map((by) => turnPages(story, by, pageByPage)))
  for (const turning of turned) if (turning.status === 'rejected') throw turning.reason
}

/** Every observer asks everything else there is to ask; throws `Difference` at the first answer that differs. */
export async function sweepEverything(story: Story): Promise<void> {
  await askAll(story, [...aboutEverything(), ...aboutPeople(), ...aboutFiles(story)])
  // One after the other: they count something, or would change something if they were let.
  for (const question of [
    ...aboutExports(),
    ...meddling(story),
    ...aboutTies(),
    ...aboutReports(story),
    ...aboutAccounts(),
    ...aboutMailLinks(story),
    ...aboutReminders(story),
  ]) {
    judge(story, question, await sendBoth(story, question.credentials, question.asked))
  }
  compareTraces(story, 'the sweep')
}

/** How every trace ends: addressees told, what opens within it open, mails sent; then one more look. */
export async function epilogue(story: Story): Promise<void> {
  for (const item of story.items) {
    await askBoth(story, { by: item.by, item }, ({ name }) => ({
      method: 'POST',
      path: '/api/email/notify-revelation',
      body: { revelationId: item.ids[name] },
    }))
  }
  await inBoth(story, ({ server }) => server.runJobs())
  compareTraces(story, 'all addressees were told')
  const now = story.worlds.A.server.clock.now.getTime()
  const soon = story.items.filter(({ opens }) => opens === 'soon')
  const last = Math.max(now, ...soon.map(({ truth }) => Date.parse(truth.A.reveal_date)))
  await inBoth(story, ({ server }) => server.clock.advance(last - now))
  await inBoth(story, ({ server }) => server.runJobs())
  compareTraces(story, 'all that opens soon is open')
  await askForItems(story)
  await askAll(story, [...aboutWords(() => FEED)])
}

/** Apart from each other: what the bearer opens is noted for its author to read. */
async function askForItems(story: Story): Promise<void> {
  const others = OBSERVERS.filter((by) => by !== 'bearer')
  await askAll(story, [...aboutItems(story, others)])
  await askAll(story, [...aboutItems(story, ['bearer'])])
}

async function askAll(story: Story, questions: readonly Question[]): Promise<void> {
  for (let start = 0; start < questions.length; start += AT_ONCE) {
    const batch = questions.slice(start, start + AT_ONCE)
    const answers = await Promise.all(
      batch.map(({ credentials, asked }) => sendBoth(story, credentials, asked)),
    )
    for (const [index, question] of batch.entries()) {
      judge(story, question, answers[index] as Pair<Seen>)
    }
  }
}

function judge(story: Story, question: Question, seen: Pair<Seen>): void {
  const { credentials, isRefused } = question
  const asked = question.asked(story.worlds.A)
  compareAnswers(story, credentials.by, asked, seen)
  if (isRefused) requireRefusal(`${asked.method} ${asked.path} by ${credentials.by}`, seen.A)
}
