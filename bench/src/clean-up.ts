/** Registers work for the end of the run, however it ends; the last one runs first. */
export type AtEnd = (work: () => unknown) => void

export async function withCleanUp(run: (atEnd: AtEnd) => Promise<void>): Promise<void> {
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
