import path from 'node:path'
import { openDiskStorage } from './disk-storage.ts'
import type { S3Facts } from './s3-storage.ts'
import type { Storage } from './storage.ts'

/** The storage of files: the bucket if one is configured, otherwise the disk. */
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
  // Lazy: the SDK is large, and a program on the disk does not need it.
  const { openS3Storage } = await import('./s3-storage.ts')
  return openS3Storage(s3)
}
