import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { getJobStatuses, type JobStatus, retryJob } from '#contract/jobs.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { ProcessingSteps } from './processing-steps.tsx'

const SENTENCE = 'Préparer ce fichier demande trop de travail'
const failed: JobStatus = { jobId: 'one', status: 'failed', progress: 40, error: SENTENCE }
const again: JobStatus = { jobId: 'one', status: 'processing', progress: 0, error: null }

function show() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ProcessingSteps jobs={[{ jobId: 'one', type: 'mobile', estimatedDuration: 10 }]} />
    </QueryClientProvider>,
  )
  return userEvent.setup({ delay: null })
}

const button = () => screen.findByRole('button', { name: /^Réessayer/ })

test('a step that failed says why, and is tried once more at the wish of its author', async () => {
  let status = failed
  fakeServer.use(
    answer(getJobStatuses, () => ({ results: [status] })),
    answer(retryJob, ({ params }) => {
      expect(params.jobId).toBe('one')
      status = again
      return status
    }),
  )
  const user = show()
  await screen.findByText(SENTENCE)
  await user.click(await button())
  await screen.findByText('En attente')
  expect(screen.queryByRole('button', { name: /^Réessayer/ })).toBeNull()
})

test('a retry that is refused says so beside the step', async () => {
  fakeServer.use(
    answer(getJobStatuses, { results: [failed] }),
    answer(retryJob, refusal('step_not_failed')),
  )
  const user = show()
  await user.click(await button())
  await screen.findByText(/il n’y a rien à recommencer/)
})
