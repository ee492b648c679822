import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  isResponseSerializationError,
} from 'fastify-type-provider-zod'
import { ERRORS, type ErrorBody } from '#contract/errors.ts'
import { AppError, notFound } from '#server/errors.ts'
import { isGone, isUnavailable } from '#server/platform/database/sql-errors.ts'
import { isStorageUnreachable } from '#server/platform/storage/s3-errors.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * Answers every failure: an `AppError` as it is, bad input field by field, `unavailable` while database or storage are
 * unavailable, anything else `unexpected`.
 */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = asAppError(error) ?? asEnded(error, request)
    if (known) return sendAppError(reply, known)
    if (isUnavailable(error) || isStorageUnreachable(error)) {
      request.log.error({ err: error }, 'what an answer needs is unavailable')
      const retryAfterSeconds = RETRY_AFTER_SECONDS
      return sendAppError(reply, new AppError('unavailable', { retryAfterSeconds }))
    }
    if (isResponseSerializationError(error)) {
      request.log.error({ url: error.url, issues: error.cause.issues }, 'answer off its contract')
    } else {
      request.log.error({ err: error }, 'unexpected failure')
    }
    return sendAppError(reply, new AppError('unexpected'))
  })
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    request.log.debug('no such route')
    return sendAppError(reply, notFound())
  })
}

function sendAppError(reply: FastifyReply, error: AppError): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(error.toBody() satisfies ErrorBody)
}

/** A person whose account was deleted during the request is signed out, as at the next request. */
function asEnded(error: FastifyError, { session }: FastifyRequest): AppError | undefined {
  const isEnded = session && session !== 'invalid' && isGone(error, 'users', session.userId)
  return isEnded ? new AppError('unauthenticated') : undefined
}

function asAppError(error: FastifyError): AppError | undefined {
  if (error instanceof AppError) return error
  if (isDiskFull(error)) return new AppError('disk_full')
  if (hasZodFastifySchemaValidationErrors(error)) return badInput(error)
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('body_too_large')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_type', {
        message: 'Ce type de contenu n’est pas accepté ici',
      })
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('invalid_input', { message: 'Cette demande est mal formée' })
  }
  return undefined
}

function badInput(error: Pick<FastifyError, 'validation' | 'validationContext'>): AppError {
  // A malformed id in a URL is a missing page.
  if (error.validationContext === 'params') return notFound()
  const fields: Record<string, string> = {}
  for (const issue of error.validation ?? []) {
    const field = issue.instancePath.split('/').filter(Boolean).join('.')
    if (field && fields[field] === undefined) fields[field] = issue.message ?? ''
  }
  const first = Object.values(fields)[0]
  return new AppError('invalid_input', {
    message: first ?? ERRORS.invalid_input.message,
    ...(first ? { fields } : {}),
  })
}
