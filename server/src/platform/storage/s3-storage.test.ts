import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type S3Server, startS3Server } from '#test/s3-server.ts'
import { openS3Storage } from './s3-storage.ts'
import { testStorageContract } from './storage.contract.ts'

let server: S3Server
let folder: string
let buckets = 0

beforeAll(async () => {
  server = await startS3Server()
  folder = await mkdtemp(join(tmpdir(), 's3-storage-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

function newBucket() {
  buckets += 1
  const bucket = `bucket-${buckets}`
  server.addBucket(bucket, join(folder, bucket))
  const { endpoint } = server
  return { endpoint, bucket, region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER' }
}

testStorageContract('A bucket', async () => openS3Storage(newBucket()))
