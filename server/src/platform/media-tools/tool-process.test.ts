import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ToolFailed, TooMuchWork } from './media-errors.ts'
import { redact, runTool } from './tool-process.ts'

const CAP_SYS_ADMIN = 21n

function runShell(script: string, command = {}, run = {}) {
  return runTool({ path: '/bin/sh', args: ['-c', script], ...command }, run)
}

/** A dead process that nobody buried yet still has a number: it is dead all the same. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return !/\) Z /.test(stat)
  } catch {
    return false
  }
}

async function isAdministrator(): Promise<boolean> {
  const status = await readFile('/proc/self/status', 'utf8')
  const [, capabilities = '0'] = /^CapEff:\s*(\S+)/m.exec(status) ?? []
  return ((BigInt(`0x${capabilities}`) >> CAP_SYS_ADMIN) & 1n) === 1n
}

/** A script whose child outlives it, and the pids of both, told once they run. */
function runFamily(run: { signal?: AbortSignal; timeoutMs?: number }) {
  const started = Promise.withResolvers<number[]>()
  const onLine = (line: string) => started.resolve(line.split(' ').map(Number))
  const script = 'sleep 600 & echo "$$ $!" >&3; wait'
  return { started: started.promise, ended: runShell(script, { onLine }, run) }
}

test('an abort kills the tool and what it started', async () => {
  const controller = new AbortController()
  const { started, ended } = runFamily({ signal: controller.signal })
  const pids = await started
  expect(await Promise.all(pids.map(isAlive))).toEqual([true, true])
  controller.abort(new Error('stopping'))
  await expect(ended).rejects.toThrow('stopping')
  // Its pipes are closed a moment before the system says that a killed process is dead.
  await expect.poll(() => Promise.all(pids.map(isAlive))).toEqual([false, false])
})

test('a tool yields to everything else, and so does its session', async () => {
  const controller = new AbortController()
  const { started, ended } = runFamily({ signal: controller.signal })
  const [pid = 0] = await started
  await expect.poll(() => os.getPriority(pid)).toBe(10)
  // Not every kernel shares by session, and all who may not administer it together change it ten times a second at most.
  const session = await readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => undefined)
  if (session !== undefined && (await isAdministrator())) expect(session).toContain('nice 10')
  controller.abort(new Error('enough'))
  await expect(ended).rejects.toThrow('enough')
})

test('an aborted signal starts nothing', async () => {
  const signal = AbortSignal.abort(new Error('too late'))
  await expect(runShell('true', {}, { signal })).rejects.toThrow('too late')
})

test('a tool that takes too long is killed', async () => {
  const { ended } = runFamily({ timeoutMs: 300 })
  await expect(ended).rejects.toThrow('sh took more than 0.3 s')
})

test('what a tool leaves running dies with it', async () => {
  const started = Promise.withResolvers<number>()
  const onLine = (line: string) => started.resolve(Number(line))
  await runShell('sleep 600 & echo "$!" >&3', { onLine })
  const pid = await started.promise
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('a tool that reaches a limit of the system has too much work, one that crashes has not', async () => {
  await expect(runShell('kill -XCPU $$')).rejects.toThrow(TooMuchWork)
  await expect(runShell('kill -KILL $$')).rejects.toThrow(TooMuchWork)
  const crash = await runShell('kill -SEGV $$').catch((error) => error)
  expect(crash).toBeInstanceOf(ToolFailed)
  expect(crash).not.toBeInstanceOf(TooMuchWork)
})

test('the processor it may use is bounded by its time', async () => {
  const limit = await runShell('ulimit -t', {}, { timeoutMs: 30_000 })
  expect(limit.toString().trim()).toBe('60')
})

test('the end of stderr is told without the secret address', async () => {
  const url = 'http://127.0.0.1:4321/s3cr3t-token'
  const script = `printf 'first\\n%s: Invalid \\033[31mdata\\n' ${url} >&2; exit 3`
  const failure = await runShell(script, { secret: url }).catch((error) => error)
  expect(failure).toBeInstanceOf(ToolFailed)
  expect(failure.exitCode).toBe(3)
  expect(failure.message).toBe('sh ended with code 3: first\nsource: Invalid [31mdata')
})

test('a secret cut in two by the limit of what is kept does not survive', () => {
  const kept = `alf-of-the-token\n${'x'.repeat(9_000)}\nlast line`.slice(0, 8_192)
  expect(redact(kept, 'half-of-the-token')).not.toContain('alf-of-the-token')
})

test('the tool sees nothing of our environment but PATH', async () => {
  process.env.SECRET_OF_OURS = 'secret'
  process.env.http_proxy = 'http://127.0.0.1:9'
  const seen = (await runTool({ path: 'env', args: [] })).toString().trim().split('\n')
  expect(seen.map((line) => line.split('=')[0]).sort()).toEqual(['LC_ALL', 'PATH'])
  delete process.env.SECRET_OF_OURS
  delete process.env.http_proxy
})

test('memory and core dumps are bounded, and so is a file it writes', async () => {
  const limits = (await runShell('ulimit -c; ulimit -v')).toString().trim().split('\n')
  expect(limits).toEqual(['0', String(4 * 1024 * 1024)])
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tool-process-'))
  const script = `head -c 2000000 /dev/zero > ${folder}/out`
  await expect(runShell(script, { maxFileBytes: 1_000_000 })).rejects.toThrow(ToolFailed)
  await rm(folder, { recursive: true })
})

test('a tool that writes too much on its output is stopped', async () => {
  await expect(runShell('cat /dev/zero', { maxStdoutBytes: 1_000 })).rejects.toThrow(
    'wrote too much',
  )
})

test('arguments reach the tool as they are', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tool-process-'))
  const name = `a $(touch ${folder}/b) "c" 'd'`
  expect((await runTool({ path: 'printf', args: ['%s', name] })).toString()).toBe(name)
  await writeFile(`${folder}/only`, '')
  expect(await readdir(folder)).toEqual(['only'])
  await rm(folder, { recursive: true })
})
