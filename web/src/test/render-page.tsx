import { render } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import type { RequestHandler } from 'msw'
import { onTestFinished } from 'vitest'
import { verifyToken } from '#contract/auth.ts'
import { listRecentRecipients } from '#contract/deliveries.ts'
import { listNotifications } from '#contract/notifications.ts'
import { getUser, type User } from '#contract/profiles.ts'
import { listAnniversaries, listReceived } from '#contract/received.ts'
import { listRelationships, listRequests } from '#contract/relationships.ts'
import { getReminder } from '#contract/reminders.ts'
import { listReplies } from '#contract/replies.ts'
import { listRevelationsOfUser } from '#contract/revelations.ts'
import { getSite } from '#contract/site.ts'
import { listUploads } from '#contract/uploads.ts'
import { App } from '#web/app/app.tsx'
import { BrowserPages, createRouter } from '#web/browser-router.tsx'
import { markVisited } from '#web/lib/first-visit.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { saveToken } from '#web/lib/session-token.ts'
import { silentEvents } from './event-stream.ts'
import { answer, fakeServer, refusal } from './fake-api.ts'
import { aNotificationPage } from './notification-samples.ts'
import { aPage, aReceivedPage } from './samples.ts'

const TOKEN = 'token-of-this-session'

const UNNAMED_OPERATOR = {
  name: null,
  address: null,
  email: null,
  company_number: null,
  hosting: null,
}

interface PageOptions {
  /** What the server answers; see `answer`. */
  api?: RequestHandler[]
  /** Who is signed in. */
  user?: User
  /** What the link that led here said beside the address. */
  state?: object
  /** Nothing says that this browser was here before. */
  isFirstVisit?: boolean
}

/** The whole application at an address, with the person who uses it. */
export function renderPage(
  path: string,
  { api = [], user, isFirstVisit = false, state }: PageOptions = {},
): UserEvent {
  window.history.replaceState(state ? { usr: state } : null, '', path)
  // Every page of a signed-in person asks it; a test may answer otherwise.
  fakeServer.use(
    answer(listRequests, { requests: [], sent: [] }),
    answer(listRelationships, { relationships: [] }),
    answer(listRecentRecipients, { people: [] }),
    answer(listNotifications, aNotificationPage([])),
    // The record of the author of what is public.
    answer(getUser, refusal('not_found')),
    answer(getSite, { operator: UNNAMED_OPERATOR }),
    // A visitor may sign in.
    answer(getReminder, { reminded: false }),
    answer(listUploads, { uploads: [] }),
    // Its author and its addressees ask for the replies to an open letter.
    answer(listReplies, { replies: [], can_reply: false, blocks: [] }),
    // The bar and the home page of whoever is signed in ask what waits for them.
    answer(listReceived, aReceivedPage([])),
    answer(listAnniversaries, { anniversaries: [] }),
    answer(listRevelationsOfUser, aPage([])),
    silentEvents(),
  )
  if (!user && !isFirstVisit) markVisited()
  if (user) {
    saveToken(TOKEN)
    fakeServer.use(answer(verifyToken, { user }))
  }
  fakeServer.use(...api)
  const queryClient = createQueryClient()
  // A test that wants a failure wants it at once.
  queryClient.setDefaultOptions({
    queries: { ...queryClient.getDefaultOptions().queries, retry: false },
  })
  const router = createRouter(queryClient)
  onTestFinished(() => router.dispose())
  render(
    <App queryClient={queryClient}>
      <BrowserPages router={router} />
    </App>,
  )
  return userEvent.setup({ delay: null })
}
