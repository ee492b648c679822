import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { errorSchema } from '#contract/errors.ts'
import { FOLDERS, uploadFile } from '#contract/media.ts'
import { describeTus } from './api-document-tus.ts'

const BYTES = { type: 'string', format: 'binary' }

/** The form of an upload is read as it comes in, not validated by a schema: it is told here. */
const UPLOAD_FORM = {
  type: 'object',
  required: ['file'],
  properties: {
    folder: { type: 'string', enum: [...FOLDERS] },
    teaserStart: { type: 'string', description: 'Seconds' },
    teaserEnd: { type: 'string', description: 'Seconds' },
    teaserData: { type: 'string', description: 'start|end, in seconds' },
    revelationId: { type: 'string' },
    file: { ...BYTES, description: 'Stands after the fields' },
  },
}

interface Operation {
  parameters?: object[]
  requestBody?: object
  responses: Record<string, { description: string; content?: object }>
}

/** The OpenAPI 3.1 document of the API, made from the contract, at `/api/docs`. */
export async function registerApiDocument(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Révélations',
        description: 'Sealed messages that open at their instant.',
        version: '1.0.0',
      },
      // Who may call what is decided on each item: a session is always taken, and not always needed.
      security: [{}, { session: [] }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  })
  app.get('/api/docs', { schema: { hide: true } }, () => completed(app.swagger()))
}

/** Adds what the schemas of routes do not say: errors, files, the form of an upload and its parts. */
function completed(document: object) {
  const paths = (document as { paths?: Record<string, Record<string, Operation>> }).paths ?? {}
  const { $schema, ...error } = z.toJSONSchema(errorSchema)
  const completedPaths = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        {
          ...operation,
          ...(path === uploadFile.url && {
            requestBody: { content: { 'multipart/form-data': { schema: UPLOAD_FORM } } },
          }),
          ...describeTus(path, method, operation),
          responses: {
            ...(describeTus(path, method, operation)?.responses ?? responsesOf(operation)),
            '4XX': { description: 'Refused', content: { 'application/json': { schema: error } } },
          },
        },
      ]),
    ),
  ])
  return { ...document, paths: Object.fromEntries(completedPaths) }
}

/** A route without an answer in the contract sends the bytes of a file, or a range of them. */
function responsesOf({ responses }: Operation): Operation['responses'] {
  if (responses[200] === undefined || responses[200].content) return responses
  const content = { '*/*': { schema: BYTES } }
  return {
    200: { description: 'The file', content },
    206: { description: 'The part of it that Range asks for', content },
  }
}
