import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Registers work for the end of the run, however it ends; the last one runs first. */
export type AtEnd = (work: () => unknown) => void

export async function withCleanUp(run: (atEnd: AtEnd) => Promise<unknown>): Promise<void> {
  const works: (() => unknown)[] = []
  async function cleanUp(): Promise<void> {
    for (let work = works.pop(); work; work = works.pop()) await work()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
  }
  try {
    await run((work) => works.push(work))
  } finally {
    await cleanUp()
  }
}

/** An empty folder that is deleted at the end of the run. */
export async function createFolder(atEnd: AtEnd): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'revelations-bench-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}
