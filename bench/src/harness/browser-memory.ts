import { readdir, readFile } from 'node:fs/promises'

const MB = 1024 * 1024

/** Memory of a browser by the folder of its profile: its heaviest page, and all its processes. */
export async function readBrowserMemory(
  profile: string,
): Promise<{ pageMb: number; allMb: number }> {
  const processes = await listProcesses()
  const own = new Set(
    processes.filter(({ command }) => command.includes(profile)).map(({ pid }) => pid),
  )
  // A child may be listed before its parent: again until nothing is added.
  for (let size = 0; size !== own.size; ) {
    size = own.size
    for (const { pid, parent } of processes) if (own.has(parent)) own.add(pid)
  }
  let pageMb = 0
  let allMb = 0
  for (const { pid, command } of processes) {
    if (!own.has(pid)) continue
    const mb = await readShareMb(pid)
    allMb += mb
    if (command.includes('--type=renderer')) pageMb = Math.max(pageMb, mb)
  }
  return { pageMb: Math.round(pageMb), allMb: Math.round(allMb) }
}

interface Process {
  pid: number
  parent: number
  command: string
}

async function listProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = pids.map(async (name) => {
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    )
    const parent = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return { pid: Number(name), parent, command: command ?? '' }
  })
  return Promise.all(processes)
}

/** Its own memory, and its part of shared memory. */
async function readShareMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return (Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024) / MB
}
