import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { FOLDERS, uploadResultSchema } from './media.ts'
import { instantSchema } from './text.ts'

/**
 * The address of the tus 1.0 protocol (creation, expiration, termination and checksum by `sha256`): POST here, then HEAD,
 * PATCH and DELETE below. Nothing can be read back: a GET of one upload is a 404 for everyone.
 */
export const UPLOADS_URL = '/api/uploads'

/** After this time without a new byte, an upload is deleted and its reserved quota freed. */
export const UPLOAD_EXPIRES_AFTER_MS = 24 * 3_600_000

/** How many unfinished uploads one person may have; each reserves the quota of its whole file. */
export const OPEN_UPLOADS_MAX = 10

/** The most bytes one request with a checksum may carry: they stay in memory until the checksum is verified. */
export const CHECKED_PIECE_MAX_BYTES = 16 * 1024 * 1024

/** An upload of mine whose file is not there yet. Sizes in bytes. */
const openUploadSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  size: z.number(),
  received: z.number(),
  expires_at: instantSchema,
})
export type OpenUpload = z.infer<typeof openUploadSchema>

const tags = ['files'] as const
const params = z.object({ id: z.uuid('Introuvable') })

export const listUploads = defineEndpoint({
  method: 'GET',
  url: UPLOADS_URL,
  scope: 'write',
  schema: {
    summary: 'My uploads that are not finished',
    tags,
    response: { 200: z.object({ uploads: z.array(openUploadSchema) }) },
  },
})

/** Answers as POST /api/upload does; asked again, it answers the same file. 409 `upload_incomplete` before the last byte. */
export const finishUpload = defineEndpoint({
  method: 'POST',
  url: `${UPLOADS_URL}/:id/file`,
  scope: 'write',
  schema: {
    summary: 'Make a file of an upload that has arrived whole',
    tags,
    params,
    body: z.object({
      folder: z.optional(z.enum(FOLDERS, 'Ce dossier n’existe pas')),
      teaserStart: z.optional(z.number()),
      teaserEnd: z.optional(z.number()),
    }),
    response: { 201: uploadResultSchema },
  },
})
