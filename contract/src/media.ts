import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { successSchema } from './text.ts'

export const UPLOAD_MAX_BYTES = 600 * 1024 * 1024
export const UPLOAD_TIMEOUT_MS = 600_000

export const FOLDERS = ['videos', 'images', 'audio', 'documents'] as const
export type Folder = (typeof FOLDERS)[number]

/** What the file picker offers; the server decides from the bytes. */
export const ACCEPTED_FILES =
  'video/mp4,video/webm,video/ogg,video/quicktime,video/x-msvideo,.avi,.mov,image/jpeg,image/png,image/gif,image/webp,image/heic,image/heif,.heic,.heif,audio/mpeg,audio/wav,audio/ogg,audio/mp4,audio/webm,.mp3,.m4a,application/pdf'

export const JOB_TYPES = [
  'teaser',
  'thumbnails',
  'mobile',
  'image',
  'copy',
  'audio',
  'document',
] as const
export type JobType = (typeof JOB_TYPES)[number]

export const uploadResultSchema = z.object({
  url: z.string(),
  path: z.string(),
  filename: z.string(),
  originalName: z.string(),
  size: z.number(),
  sizeMB: z.number(),
  mimetype: z.string(),
  duration: z.nullable(z.number()),
  processing: z.object({
    enabled: z.boolean(),
    totalJobs: z.number(),
    jobs: z.array(
      z.object({ jobId: z.string(), type: z.enum(JOB_TYPES), estimatedDuration: z.number() }),
    ),
  }),
  userExperience: z.object({ canProceed: z.boolean(), message: z.string() }),
  processingInfo: z.object({
    status: z.enum(['processing', 'completed']),
    statusText: z.string(),
    mbLoaded: z.number(),
    mbTotal: z.number(),
  }),
})
export type UploadResult = z.infer<typeof uploadResultSchema>

const tags = ['files'] as const

/** Multipart: folder, teaserStart, teaserEnd, teaserData (`start|end`), revelationId, then the file. */
export const uploadFile = defineEndpoint({
  method: 'POST',
  url: '/api/upload',
  scope: 'write',
  schema: {
    summary:
      'Send a file (multipart/form-data, fields before the file), sealed on its way to the disk',
    tags,
    response: { 201: uploadResultSchema },
  },
})

export const deleteFile = defineEndpoint({
  method: 'DELETE',
  url: '/api/delete',
  scope: 'write',
  schema: {
    summary: 'Delete a file of mine that nothing uses',
    tags,
    body: z.object({
      path: z.string('Fichier invalide').check(z.maxLength(2_000, 'Fichier invalide')),
    }),
    response: { 200: successSchema },
  },
})
