import { readdir, readFile } from 'node:fs/promises'

interface Process {
  pid: number
  parent: number
  command: string
  /** CPU time in hundredths of a second: its own, and that of its children that have ended. */
  ticks: number
}

/** These processes, and all that they started. */
export async function listFamily(isFirst: (process: Process) => boolean): Promise<Process[]> {
  const processes = await listProcesses()
  const own = new Set(processes.filter(isFirst).map(({ pid }) => pid))
  // A child may be listed before its parent: again until nothing is added.
  for (let size = 0; size !== own.size; ) {
    size = own.size
    for (const { pid, parent } of processes) if (own.has(parent)) own.add(pid)
  }
  return processes.filter(({ pid }) => own.has(pid))
}

async function listProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = pids.map(async (name) => {
    const [stat = '', command = ''] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    )
    // It has ended meanwhile.
    if (stat === '') return []
    const fields = fieldsOf(stat)
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [{ pid: Number(name), parent: Number(fields[1]), command, ticks }]
  })
  return (await Promise.all(processes)).flat()
}

/** The fields of `/proc/…/stat` after the name, which stands in brackets and may contain anything. */
export function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
