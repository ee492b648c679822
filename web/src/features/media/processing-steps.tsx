import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { type FailedJob, getJobStatuses, type JobStatus, retryJob } from '#contract/jobs.ts'
import type { JobType, UploadResult } from '#contract/media.ts'
import { callApi, errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'

export const STEP_LABELS: Record<JobType, string> = {
  teaser: 'Extrait public',
  thumbnails: 'Vignettes',
  mobile: 'Version légère pour téléphone',
  image: 'Version d’affichage',
  copy: 'Copie sans position ni appareil',
  audio: 'Version pour tous les téléphones',
  document: 'Image de la première page',
}

/** The steps that the server runs for a file; they continue when the page is left. */
export function ProcessingSteps({ jobs }: { jobs: UploadResult['processing']['jobs'] }) {
  const { data: steps } = useQuery(stepsQuery(jobs))
  if (!steps || steps.length === 0) return null
  const isOver = steps.every(({ status }) => status !== 'processing')
  const failed = steps.filter(({ status }) => status === 'failed').length
  return (
    <div className="flex flex-col gap-3">
      {!isOver && (
        <p className="text-ink-soft text-sm">
          La préparation continue sans vous&#8239;: vous pouvez sceller et quitter la page.
        </p>
      )}
      <ul aria-label="Préparation du fichier" className="flex flex-col gap-1.5 text-sm">
        {steps.map((step) => (
          <li key={step.jobId}>
            <p className="flex items-center gap-2.5">
              <StepMark status={step.status} />
              <span>{STEP_LABELS[step.type]}</span>
              <span className="tabular-digits ml-auto text-ink-soft">{stepState(step)}</span>
            </p>
            {step.status === 'failed' && (
              <div className="pl-7.5">
                <FailedStep step={step} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {failed > 0 && (
        <Notice tone="warning">
          {failed} tâche(s) ont échoué. Les fonctionnalités peuvent être limitées.
        </Notice>
      )}
    </div>
  )
}

interface FailedStepProps {
  step: FailedJob
  onRetried?: () => Promise<unknown>
}

/** Why a step failed, with a button that retries it. */
export function FailedStep({ step, onRetried }: FailedStepProps) {
  const retry = useRetryStep(step.jobId, onRetried)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 pt-0.5 pb-1.5">
      <p className="min-w-0 flex-1 basis-48 text-ink-soft">
        {retry.error
          ? errorSentence(retry.error, 'Impossible de réessayer pour le moment')
          : step.error}
      </p>
      <Button
        variant="secondary"
        busy={retry.isPending}
        aria-label={`Réessayer\u202F: ${STEP_LABELS[step.type]}`}
        onClick={() => retry.mutate()}
      >
        Réessayer
      </Button>
    </div>
  )
}

function stepState({ status, progress }: Step): string {
  if (status === 'completed') return 'Prêt'
  if (status === 'failed') return 'Échec'
  if (status === 'not_found') return 'Plus suivie'
  return progress > 0 ? `${Math.round(progress)}\u00A0%` : 'En attente'
}

function StepMark({ status }: { status: Step['status'] }) {
  if (status === 'completed') {
    return <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-leaf-ink" />
  }
  if (status === 'failed') {
    return <TriangleAlert aria-hidden="true" className="size-5 shrink-0 text-ember-ink" />
  }
  if (status === 'not_found') {
    return <CircleDashed aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
  }
  return <Spinner />
}

const POLL_MS = 3000

interface Step {
  jobId: string
  type: JobType
  status: JobStatus['status'] | 'not_found'
  /** From 0 to 100. */
  progress: number
  error: string | null
}

/** Polled until all steps are over. */
function stepsQuery(jobs: readonly { jobId: string; type: JobType }[]) {
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

function useRetryStep(jobId: string, onRetried?: () => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(retryJob, { params: { jobId } }),
    // Also after an error: the step may have been retried from elsewhere.
    onSettled: () => Promise.all([client.invalidateQueries({ queryKey: ['jobs'] }), onRetried?.()]),
  })
}
