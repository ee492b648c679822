import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getJobStatuses, type JobStatus, retryJob } from '#contract/jobs.ts'
import { deleteFile, type JobType } from '#contract/media.ts'
import { callApi } from '#web/lib/api-client.ts'

const POLL_MS = 3000

export interface Step {
  jobId: string
  type: JobType
  status: JobStatus['status'] | 'not_found'
  /** From 0 to 100. */
  progress: number
  /** Why it failed, in words. */
  error: string | null
}

/** How far the server is with what it makes of a file; asked every three seconds until all is over. */
export function stepsQuery(jobs: readonly { jobId: string; type: JobType }[]) {
  const jobIds = jobs.map(({ jobId }) => jobId)
  return queryOptions({
    queryKey: ['jobs', jobIds],
    queryFn: async ({ signal }): Promise<Step[]> => {
      const { results } = await callApi(getJobStatuses, { body: { jobIds } }, { signal })
      return jobs.map(({ jobId, type }) => {
        const known = results.find((result) => result.jobId === jobId)
        if (!known || known.status === 'not_found') {
          return { jobId, type, status: 'not_found', progress: 0, error: null }
        }
        const { status, progress, error } = known
        return { jobId, type, status, progress, error }
      })
    },
    enabled: jobIds.length > 0,
    refetchInterval: ({ state }) =>
      state.data?.every(({ status }) => status !== 'processing') ? false : POLL_MS,
  })
}

/** Asks the server for a step once more, and then again how far all are. */
export function useRetryStep(jobId: string, onRetried?: () => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(retryJob, { params: { jobId } }),
    // Even when it was refused: the step may have been tried again from elsewhere.
    onSettled: () => Promise.all([client.invalidateQueries({ queryKey: ['jobs'] }), onRetried?.()]),
  })
}

/** Takes back a file nothing uses. A failure is nobody's business: the server sweeps unused files by itself. */
export async function deleteUploadedFile(path: string): Promise<void> {
  await callApi(deleteFile, { body: { path } }).catch(() => undefined)
}
