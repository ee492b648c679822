import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { JOB_TYPES } from './media.ts'

const jobStatusSchema = z.object({
  jobId: z.string(),
  status: z.enum(['processing', 'completed', 'failed']),
  progress: z.number(),
  error: z.nullable(z.string()),
})
export type JobStatus = z.infer<typeof jobStatusSchema>

/** A step that its author may ask for again. */
export const failedJobSchema = z.object({
  jobId: z.string(),
  type: z.enum(JOB_TYPES),
  error: z.nullable(z.string()),
})
export type FailedJob = z.infer<typeof failedJobSchema>

const tags = ['jobs'] as const

export const getJobStatus = defineEndpoint({
  method: 'GET',
  url: '/api/jobs/status/:jobId',
  scope: 'read',
  schema: {
    summary: 'How far a processing step of mine is',
    tags,
    params: z.object({ jobId: z.string() }),
    response: { 200: jobStatusSchema },
  },
})

export const retryJob = defineEndpoint({
  method: 'POST',
  url: '/api/jobs/:jobId/retry',
  scope: 'write',
  schema: {
    summary: 'Tries a processing step of mine that failed once more; 409 when it has not',
    tags,
    params: z.object({ jobId: z.string() }),
    response: { 200: jobStatusSchema },
  },
})

export const getJobStats = defineEndpoint({
  method: 'GET',
  url: '/api/jobs/stats',
  scope: 'read',
  schema: {
    summary: 'My processing steps, counted by status',
    tags,
    response: {
      200: z.object({ processing: z.number(), completed: z.number(), failed: z.number() }),
    },
  },
})

export const getJobStatuses = defineEndpoint({
  method: 'POST',
  url: '/api/jobs/batch-status',
  scope: 'read',
  schema: {
    summary: 'Several steps at once; unknown ones say not_found',
    tags,
    body: z.object({
      jobIds: z
        .array(z.string('Identifiant invalide'), 'Liste de tâches attendue')
        .check(z.maxLength(100, 'Demandez 100 tâches au plus à la fois')),
    }),
    response: {
      200: z.object({
        results: z.array(
          z.union([
            jobStatusSchema,
            z.object({ jobId: z.string(), status: z.literal('not_found') }),
          ]),
        ),
      }),
    },
  },
})
