import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { UPLOADS_URL } from '#contract/uploads.ts'
import type { AtEnd } from './clean-up.ts'
import { signUp } from './media.ts'
import { watchMemory } from './process-memory.ts'
import { startProgram } from './program.ts'
import { uploadInParts } from './resumable-client.ts'

const MB = 1024 * 1024

/** The most resident MB of each phase. */
export interface Growth {
  before: number
  sending: number
  finishing: number
  growth: number
  'MB/s': number
}

/**
 * By how many resident megabytes a program that was just started grows with the first film that is sent to it in parts:
 * after its sender has signed in, since a password needs memory of its own.
 */
export async function growthOfFirstUpload(
  film: { path: string; bytes: number },
  atEnd: AtEnd,
): Promise<Growth> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'revelations-bench-'))
  atEnd(() => rm(dataDir, { recursive: true, force: true }))
  const program = await startProgram(dataDir, { ROLE: 'all' }, atEnd)
  const headers = { authorization: `Bearer ${(await signUp(program)).token}` }
  const watch = await watchMemory(program.pid, atEnd)
  const url = `${program.origin}${UPLOADS_URL}`
  const startedAt = performance.now()
  let sentMb = Number.NaN
  await uploadInParts({ url, headers, file: film.path, fileBytes: film.bytes }, async () => {
    sentMb = await watch.readPeakMb()
  })
  const seconds = (performance.now() - startedAt) / 1000
  const finishedMb = await watch.readPeakMb()
  const highestMb = Math.max(sentMb, finishedMb)
  return {
    before: Math.round(watch.beforeMb),
    sending: Math.round(sentMb),
    finishing: Math.round(finishedMb),
    growth: Math.round(highestMb - watch.beforeMb),
    'MB/s': Math.round(film.bytes / MB / seconds),
  }
}
