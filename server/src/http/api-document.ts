import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { API_TOKEN_PREFIX } from '#contract/api-tokens.ts'
import { errorSchema } from '#contract/errors.ts'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '#contract/idempotency.ts'
import { FOLDERS, uploadFile } from '#contract/media.ts'
import { UPLOADS_URL } from '#contract/uploads.ts'
import { SESSION_SCHEME, TOKEN_SCHEME } from './token-scopes.ts'

const BYTES = { type: 'string', format: 'binary' }

/** The form of an upload, which the route parses as a stream, without a schema. */
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

const SESSION = 'The token of /api/auth/login: everything of the account, until it is signed out.'

const TOKEN =
  'A token of the API, for programs: the calls that name a scope, `read` or `write`, and nothing of the account itself. ' +
  'Its calls count in the limits of its account. 401 once it is revoked or has ended, 403 `feature_of_plan` while the plan ' +
  'has no API, `scope_missing` and `session_required` for what it is not for.'

const DESCRIPTION = `Sealed messages that open at their instant.

To call it from a program, create a token on your profile, under Paramètres, Jetons d’accès (plans Pro and Illimité). It is
shown once. Send it with each call:

    curl -H "Authorization: Bearer ${API_TOKEN_PREFIX}…" https://<this site>/api/revelations/received`

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
        description: DESCRIPTION,
        version: '1.0.0',
      },
      // Each item decides who may call: a session is always accepted, and not always required. Routes with a scope say so
      // themselves (token-scopes.ts).
      security: [{}, { [SESSION_SCHEME]: [] }],
      components: {
        securitySchemes: {
          [SESSION_SCHEME]: { type: 'http', scheme: 'bearer', description: SESSION },
          [TOKEN_SCHEME]: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: `${API_TOKEN_PREFIX}…`,
            description: TOKEN,
          },
        },
      },
    },
    transform: describeRoute,
  })
  app.get('/api/docs', { schema: { hide: true }, config: { scope: 'read' } }, () =>
    completeDocument(app.swagger()),
  )
}

const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: IDEMPOTENCY_KEY_MAX_LENGTH,
  pattern: '^[!-~]+$',
  description:
    'Chosen by you, for one call. The same call again within 7 days is answered 201 with the same item and ' +
    '`Idempotency-Replayed: true`, and makes nothing more; 409 `in_progress` while the first is under way, 422 ' +
    '`idempotency_mismatch` for another call.',
}

/** The schemas of a route, with the key of one that creates once. */
function describeRoute(described: Parameters<typeof jsonSchemaTransform>[0]) {
  const { schema, url } = jsonSchemaTransform(described)
  if (!described.route.config?.createsOnce) return { schema, url }
  const headers = { type: 'object', properties: { 'Idempotency-Key': IDEMPOTENCY_KEY } }
  return { schema: { ...schema, headers }, url }
}

/** Adds what the schemas of routes lack: errors, files, the form of an upload and its parts. */
function completeDocument(document: object) {
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

/** A route without a response schema sends the bytes of a file, or a range of them. */
function responsesOf({ responses }: Operation): Operation['responses'] {
  if (responses[200] === undefined || responses[200].content) return responses
  const content = { '*/*': { schema: BYTES } }
  return {
    200: { description: 'The file', content },
    206: { description: 'The part of it that Range asks for', content },
  }
}

const NUMBER = { type: 'integer', minimum: 0 }
const TEXT = { type: 'string' }

interface Header {
  name: string
  schema: object
  description: string
  required?: boolean
}

function describeRequestHeaders(headers: readonly Header[]) {
  const version = {
    name: 'Tus-Resumable',
    schema: { const: '1.0.0' },
    description: 'The version of tus that the client speaks',
    required: true,
  }
  return [version, ...headers].map((header) => ({ in: 'header', ...header }))
}

function describeResponse(description: string, headers: readonly Header[]) {
  const byName = headers.map(({ name, ...header }) => [name, header])
  return { description, headers: Object.fromEntries(byName) }
}

const LENGTH = { name: 'Upload-Length', schema: NUMBER, description: 'Bytes of the whole file' }
const OFFSET = { name: 'Upload-Offset', schema: NUMBER, description: 'Bytes that have arrived' }
const FACTS = {
  name: 'Upload-Metadata',
  schema: TEXT,
  description: '`filename` and `filetype`, each followed by its value in base64',
}
const CHECKSUM = {
  name: 'Upload-Checksum',
  schema: TEXT,
  description: '`sha256` and the sum of this part in base64; the part has 16 MiB at most then',
}
const EXPIRES = {
  name: 'Upload-Expires',
  schema: TEXT,
  description: 'When it is forgotten, unless another byte comes',
}
const LOCATION = { name: 'Location', schema: TEXT, description: 'Where the parts go' }

/** The headers of the calls of the tus protocol, which no schema of a route describes, by path and method. */
const TUS_CALLS: Record<string, Record<string, object>> = {
  [UPLOADS_URL]: {
    post: {
      parameters: describeRequestHeaders([{ ...LENGTH, required: true }, FACTS]),
      responses: { 201: describeResponse('Begun, its room is reserved', [LOCATION, EXPIRES]) },
    },
  },
  [`${UPLOADS_URL}/{id}`]: {
    head: {
      parameters: describeRequestHeaders([]),
      responses: { 200: describeResponse('Where it is', [OFFSET, LENGTH, FACTS, EXPIRES]) },
    },
    patch: {
      parameters: describeRequestHeaders([{ ...OFFSET, required: true }, CHECKSUM]),
      requestBody: { content: { 'application/offset+octet-stream': { schema: BYTES } } },
      responses: { 204: describeResponse('Kept', [OFFSET, EXPIRES]) },
    },
    delete: {
      parameters: describeRequestHeaders([]),
      responses: { 204: { description: 'Given up' } },
    },
  },
}

/** The operation with the headers of tus; undefined for other calls. */
function describeTus<T extends Operation>(
  path: string,
  method: string,
  operation: T,
): T | undefined {
  const call = TUS_CALLS[path]?.[method] as Operation | undefined
  if (!call) return undefined
  const parameters = [...(operation.parameters ?? []), ...(call.parameters ?? [])]
  return { ...operation, ...call, parameters }
}
