import path from 'node:path'
import { openDiskStorage } from './disk-storage.ts'
import type { S3Facts } from './s3-client.ts'
import type { Storage } from './storage.ts'

/** Where the files are kept: in the bucket when one is configured, on the disk else. */
export async function openStorage({
  dataDir,
  s3,
}: {
  dataDir: string
  s3: S3Facts | undefined
}): Promise<Storage> {
  return s3 ? openBucket(s3) : openDisk(dataDir)
}

export function openDisk(dataDir: string): Promise<Storage> {
  return openDiskStorage(path.join(dataDir, 'files'))
}

export async function openBucket(s3: S3Facts): Promise<Storage> {
  // The SDK is large: a program on the disk does without it.
  const { openS3Storage } = await import('./s3-storage.ts')
  return openS3Storage(s3)
}
