import type { HttpRequest, HttpStack } from 'tus-js-client'

/** The file lies on this device no longer, or is not what it was when it was chosen. */
export class UnreadableFile extends Error {}

/**
 * Requests that carry the SHA-256 of the bytes they carry: what is damaged on its way is refused, and sent again. Read
 * once, so that what is summed is what leaves; a page that did not come safely has no sums, and goes without.
 */
export function checkedRequests(stack: HttpStack): HttpStack {
  return {
    getName: () => `${stack.getName()}+sha256`,
    createRequest: (method, url) => checked(stack.createRequest(method, url)),
  }
}

function checked(request: HttpRequest): HttpRequest {
  let isAborted = false
  return {
    getMethod: () => request.getMethod(),
    getURL: () => request.getURL(),
    setHeader: (header, value) => request.setHeader(header, value),
    getHeader: (header) => request.getHeader(header),
    setProgressHandler: (handler) => request.setProgressHandler(handler),
    getUnderlyingObject: () => request.getUnderlyingObject(),
    abort: () => {
      isAborted = true
      return request.abort()
    },
    send: async (body: unknown) => {
      if (!(body instanceof Blob)) return request.send(body)
      const bytes = await read(body)
      const sum = await sha256(bytes)
      // A request that was given up meanwhile must not leave after all.
      if (isAborted) throw new Error('The request was given up before it left')
      if (sum) request.setHeader('Upload-Checksum', `sha256 ${sum}`)
      return request.send(bytes)
    },
  }
}

async function read(part: Blob): Promise<ArrayBuffer> {
  try {
    return await part.arrayBuffer()
  } catch (error) {
    throw new UnreadableFile('This part of the file cannot be read', { cause: error })
  }
}

async function sha256(bytes: ArrayBuffer): Promise<string | undefined> {
  const { subtle } = crypto as { subtle?: SubtleCrypto }
  if (!subtle) return undefined
  const sum = await subtle.digest('SHA-256', bytes)
  return btoa(String.fromCharCode(...new Uint8Array(sum)))
}
