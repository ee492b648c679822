import { readShareMb } from './process-memory.ts'
import { listFamily } from './processes.ts'

/** Memory of a browser by the folder of its profile: its heaviest page, and all its processes. */
export async function readBrowserMemory(
  profile: string,
): Promise<{ pageMb: number; allMb: number }> {
  const family = await listFamily(({ command }) => command.includes(profile))
  let pageMb = 0
  let allMb = 0
  for (const { pid, command } of family) {
    const mb = await readShareMb(pid)
    allMb += mb
    if (command.includes('--type=renderer')) pageMb = Math.max(pageMb, mb)
  }
  return { pageMb: Math.round(pageMb), allMb: Math.round(allMb) }
}
