declare module 's3rver' {
  import type { AddressInfo } from 'node:net'

  type Next = () => Promise<void>
  interface S3Call {
    method: string
    path: string
    headers: Record<string, string | undefined>
    query: Record<string, string | undefined>
    status: number
    body: unknown
  }
  class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      vhostBuckets: boolean
    })
    store: unknown
    context: { store: unknown }
    middleware: ((call: S3Call, next: Next) => Promise<void>)[]
    run(): Promise<AddressInfo>
  }
  export = S3rver
}

declare module 's3rver/lib/models/error.js' {
  class S3Error extends Error {
    constructor(code: string, message: string)
    status: number
  }
  export = S3Error
}

declare module 's3rver/lib/models/object.js' {
  import type { Readable } from 'node:stream'

  class S3Object {
    constructor(
      bucket: string,
      key: string,
      content: Readable | null,
      metadata: Record<string, string | number>,
    )
    bucket: string
    key: string
    content: Readable | null
    range?: { start: number; end: number }
  }
  export = S3Object
}

declare module 's3rver/lib/stores/filesystem.js' {
  class FilesystemStore {
    constructor(directory: string)
    getBucketPath(bucket: string): string
  }
  export = FilesystemStore
}
