import type { AddressInfo } from 'node:net'
import S3rver from 's3rver'
import { FolderStore } from './folder-store.ts'

type S3Call = Parameters<S3rver['middleware'][number]>[0]

const NAMESPACE = { xmlns: 'http://s3.amazonaws.com/doc/2006-03-01/' }

/** A bucket server in a process of its own, which ends with the one that started it. */
async function serve(folder: string): Promise<void> {
  const options = { address: '127.0.0.1', port: 0, silent: true, vhostBuckets: false }
  const server = new S3rver({ ...options, directory: folder })
  const store = new FolderStore(folder)
  server.store = store
  server.context.store = store
  // After what turns answers into XML, before the routes, which know neither.
  server.middleware.splice(2, 0, (call, next) => multipartUploads(store, call, next))
  const { port } = (await server.run()) as AddressInfo
  process.once('disconnect', () => process.exit())
  process.send?.({ endpoint: `http://127.0.0.1:${port}` })
}

/** The two calls about unfinished uploads that s3rver does not have. */
async function multipartUploads(
  store: FolderStore,
  call: S3Call,
  next: () => Promise<void>,
): Promise<void> {
  const [, bucket = ''] = call.path.split('/')
  const { uploadId } = call.query
  if (call.method === 'DELETE' && uploadId) {
    await store.abortUpload(bucket, uploadId)
    call.status = 204
  } else if (call.method === 'GET' && 'uploads' in call.query) {
    const uploads = await store.listUploads(bucket)
    call.body = {
      ListMultipartUploadsResult: {
        '@': NAMESPACE,
        Bucket: bucket,
        IsTruncated: false,
        Upload: uploads.map(({ key, uploadId, since }) => ({
          Key: key,
          UploadId: uploadId,
          Initiated: since.toISOString(),
        })),
      },
    }
  } else {
    await next()
  }
}

await serve(process.argv[2] ?? '')
