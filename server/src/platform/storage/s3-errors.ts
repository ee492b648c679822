import { StartError } from '#server/platform/start-error.ts'
import { StorageFull } from './storage.ts'

/** Where the objects were to be, without the keys to it. */
interface Bucket {
  endpoint: string | undefined
  bucket: string
  region: string
}

interface Failure {
  name: string
  code: string
  status: number | undefined
}

/** The names of a full disk or an exhausted quota on the servers of MinIO, Ceph and others. */
const FULL = /StorageFull|QuotaExceeded|InsufficientCapacity/
const WRONG_KEYS = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidSecurity']
const WRONG_REGION = [
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraint',
]

/** Name, code and status of an error of the SDK, of the network or of TLS. */
function failureOf(error: unknown): Failure {
  const { name, code, $metadata } = error as {
    name?: string
    code?: string
    $metadata?: { httpStatusCode?: number }
  }
  return { name: name ?? 'Error', code: code ?? '', status: $metadata?.httpStatusCode }
}

export function isMissing(error: unknown): boolean {
  const { name, status } = failureOf(error)
  return status === 404 && name !== 'NoSuchBucket'
}

export function isUnsatisfiableRange(error: unknown): boolean {
  return failureOf(error).status === 416
}

/** Whether the server refuses a call that not every server supports, or not every key may make. */
export function isRefusal(error: unknown): boolean {
  const { name, status } = failureOf(error)
  return (
    name !== 'NoSuchBucket' &&
    !WRONG_KEYS.includes(name) &&
    [403, 404, 405, 501].includes(status ?? 0)
  )
}

/** Whether the server would refuse the same call again. */
export function isUnsupported(error: unknown): boolean {
  return [400, 403, 405, 501].includes(failureOf(error).status ?? 0)
}

export function asStorageFull(error: unknown): unknown {
  const { name, status } = failureOf(error)
  if (status !== 507 && !FULL.test(name)) return error
  return new StorageFull('The bucket has no room left', { cause: error })
}

/** Whether the server of the bucket does not answer, or fails. */
export function isStorageUnreachable(error: unknown): boolean {
  const { name, status } = failureOf(error)
  return name === 'TimeoutError' || name === 'SlowDown' || (status !== undefined && status >= 500)
}

/** A `StartError` with what the operator must change, without a secret; other errors stay as they are. */
export function startErrorOf(error: unknown, { endpoint, bucket, region }: Bucket): unknown {
  const { name, code, status } = failureOf(error)
  const server = endpoint ?? 'Amazon S3'
  if (name === 'NoSuchBucket') {
    return new StartError(`S3_BUCKET « ${bucket} » does not exist at ${server}: make it first.`)
  }
  if (WRONG_KEYS.includes(name)) {
    return new StartError(`S3_ACCESS_KEY and S3_SECRET_KEY are refused by ${server} (${name}).`)
  }
  if (WRONG_REGION.includes(name)) {
    return new StartError(`S3_BUCKET « ${bucket} » is not in S3_REGION « ${region} » (${name}).`)
  }
  if (name === 'RequestTimeTooSkewed') {
    return new StartError(`This machine’s clock and that of ${server} differ too much: set it.`)
  }
  if (status === 403) {
    return new StartError(
      `S3_ACCESS_KEY may not list, read, write and delete in the bucket « ${bucket} » at ${server} (${name}).`,
    )
  }
  if (status === undefined) {
    if (!code && name !== 'TimeoutError') return error
    return new StartError(`S3_ENDPOINT « ${server} » cannot be reached (${code || name}).`)
  }
  return new StartError(
    `Files cannot be written and read in the bucket « ${bucket} » at ${server} (${name}, ${status}).`,
  )
}
