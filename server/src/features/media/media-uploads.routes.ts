import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { FOLDERS, UPLOAD_MAX_BYTES, type UploadResult } from '#contract/media.ts'
import type { AppContext } from '#server/context.ts'
import { AppError, fieldError } from '#server/errors.ts'
import { requireActor } from '#server/features/auth/auth.session.ts'
import { readWindow } from './media.rules.ts'
import { answerReceived } from './media-received.service.ts'
import { leastFileBytes } from './media-uploads.rules.ts'
import {
  type IncomingFile,
  receiveUpload,
  refuseByLength,
  requireTeaser,
} from './media-uploads.service.ts'

/** One more byte than a file may have, so that one too large is seen to be. */
export const MULTIPART_LIMITS = {
  fileSize: UPLOAD_MAX_BYTES + 1,
  files: 1,
  fields: 8,
  fieldSize: 1_024,
  fieldNameSize: 100,
  parts: 9,
  headerPairs: 20,
}

const formSchema = z.object({
  folder: z.enum(FOLDERS, 'Ce dossier n’existe pas').optional(),
  teaserStart: z.string().optional(),
  teaserEnd: z.string().optional(),
  teaserData: z.string().optional(),
})

/** Takes the file of POST /api/upload. */
export async function takeUpload(ctx: AppContext, request: FastifyRequest): Promise<UploadResult> {
  const actor = requireActor(request)
  const declaredBytes = leastFileBytes(request.headers['content-length'])
  await refuseByLength(ctx, actor, declaredBytes)
  if (!request.isMultipart()) throw new AppError('invalid_file')
  const { part, fields, readEnd } = await readForm(request)
  try {
    const file: IncomingFile = {
      ...readFields(fields),
      bytes: part.file,
      readEnd,
      fileName: part.filename,
      declaredType: part.mimetype,
      declaredBytes,
    }
    return answerReceived(ctx, actor, await receiveUpload(ctx, actor, file))
  } finally {
    part.file.destroy()
  }
}

interface Form {
  /** The fields that stand before the file. */
  fields: Record<string, string>
  /** The file, still on its way. */
  part: MultipartFile
  /** Resolves when the form has come to its end, once the file is read. */
  readEnd(): Promise<void>
}

async function readForm(request: FastifyRequest): Promise<Form> {
  const fields: Record<string, string> = {}
  try {
    const parts = request.parts()[Symbol.asyncIterator]()
    for (;;) {
      const { value: part, done } = await parts.next()
      if (done) break
      if (part.type === 'file') {
        const readEnd = async () => {
          while (!(await parts.next()).done) {
            // What stands after the file is not asked for.
          }
        }
        return { part, fields, readEnd }
      }
      if (typeof part.value === 'string' && !part.valueTruncated)
        fields[part.fieldname] = part.value
    }
  } catch (error) {
    // What the parser refuses is a form that nothing can be made of.
    request.log.info({ error: String(error) }, 'an upload form cannot be read')
  }
  throw new AppError('invalid_file')
}

function readFields(fields: Record<string, string>): Pick<IncomingFile, 'folder' | 'teaser'> {
  const form = formSchema.safeParse(fields)
  if (!form.success) {
    const issue = form.error.issues[0]
    throw fieldError(String(issue?.path[0]), issue?.message ?? '')
  }
  const teaser = readWindow(form.data)
  requireTeaser(form.data.folder, teaser)
  return { folder: form.data.folder, teaser }
}
