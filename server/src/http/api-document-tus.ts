import { UPLOADS_URL } from '#contract/uploads.ts'

const BYTES = { type: 'string', format: 'binary' }
const NUMBER = { type: 'integer', minimum: 0 }
const TEXT = { type: 'string' }

interface Header {
  name: string
  schema: object
  description: string
  required?: boolean
}

function asked(headers: readonly Header[]) {
  const version = {
    name: 'Tus-Resumable',
    schema: { const: '1.0.0' },
    description: 'The version of tus that the client speaks',
    required: true,
  }
  return [version, ...headers].map((header) => ({ in: 'header', ...header }))
}

function told(description: string, headers: readonly Header[]) {
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

/** What the calls of the tus protocol say in headers, which no schema of a route tells: by path and method. */
const CALLS: Record<string, Record<string, object>> = {
  [UPLOADS_URL]: {
    post: {
      parameters: asked([{ ...LENGTH, required: true }, FACTS]),
      responses: { 201: told('Begun, its room is reserved', [LOCATION, EXPIRES]) },
    },
  },
  [`${UPLOADS_URL}/{id}`]: {
    head: {
      parameters: asked([]),
      responses: { 200: told('Where it is', [OFFSET, LENGTH, FACTS, EXPIRES]) },
    },
    patch: {
      parameters: asked([{ ...OFFSET, required: true }, CHECKSUM]),
      requestBody: { content: { 'application/offset+octet-stream': { schema: BYTES } } },
      responses: { 204: told('Kept', [OFFSET, EXPIRES]) },
    },
    delete: { parameters: asked([]), responses: { 204: { description: 'Given up' } } },
  },
}

interface Operation {
  parameters?: object[]
  responses: Record<string, { description: string; content?: object }>
}

/** The operation with what tus adds to it; undefined for what is no call of tus. */
export function describeTus<T extends Operation>(
  path: string,
  method: string,
  operation: T,
): T | undefined {
  const call = CALLS[path]?.[method] as Operation | undefined
  if (!call) return undefined
  const parameters = [...(operation.parameters ?? []), ...(call.parameters ?? [])]
  return { ...operation, ...call, parameters }
}
