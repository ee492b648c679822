import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { S3Client } from '@aws-sdk/client-s3'

export interface S3Facts {
  /** Without one, Amazon's own. */
  endpoint: string | undefined
  bucket: string
  region: string
  accessKey: string
  secretKey: string
}

// Whoever watches a film slowly holds a socket meanwhile, and must keep nobody else from storing.
const AGENT = { keepAlive: true, maxSockets: 512 }

/** Everything is said here: nothing of this machine's own AWS configuration counts. */
export function createS3Client({ endpoint, region, accessKey, secretKey }: S3Facts): S3Client {
  return new S3Client({
    ...(endpoint ? { endpoint } : {}),
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    forcePathStyle: true,
    // Many servers do not know the newer checksums; every body is hashed into its signature anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would open a connection of its own for each part.
    expectContinueHeader: false,
    maxAttempts: 3,
    requestHandler: {
      httpAgent: new HttpAgent(AGENT),
      httpsAgent: new HttpsAgent(AGENT),
      connectionTimeout: 5_000,
      // Until the answer begins: one part on a slow line, or the joining of all.
      requestTimeout: 120_000,
      throwOnRequestTimeout: true,
      // Without a byte; a page that shows a paused film reads nothing for a while.
      socketTimeout: 600_000,
    },
  })
}
