import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { colourVideo, TOOLS } from '#testing/media-files.ts'
import { plainFile } from '#testing/media-probe.ts'
import { type ConfinedTools, confineTools } from './confine-tools.ts'
import { withPlainSource } from './plain-source.ts'
import { createScratch } from './scratch.ts'
import { runTool } from './tool-process.ts'
import { encodeMobileVideo } from './variants.ts'

let tools: ConfinedTools
const logged: string[] = []

beforeAll(async () => {
  const note = (...said: unknown[]) => void logged.push(String(said.at(-1)))
  tools = await confineTools(TOOLS, { info: note, warn: note } as never)
})
afterAll(() => tools.close())

const says = (words: string) => logged.some((line) => line.includes(words))

async function shell(script: string): Promise<string> {
  const { confinement } = tools
  const command = { path: '/bin/sh', args: ['-c', script], confinement }
  return (await runTool(command)).toString().trim()
}

test('the operator is told in one line which protections are on', () => {
  expect(logged.filter((line) => line.startsWith('media tools run'))).toHaveLength(1)
})

test('a tool runs as an account of its own, from which nothing leads back', async ({ skip }) => {
  skip(!says('as uid 65533'), 'not root here, or no way to change accounts')
  expect(await shell('id -u; id -g; id -G')).toBe('65533\n65533\n65533')
  const folder = await mkdtemp(path.join(tmpdir(), 'confine-tools-'))
  await expect(shell(`ls ${folder}`)).rejects.toThrow('ended with code')
  await expect(shell(`kill -0 ${process.pid}`)).rejects.toThrow('ended with code')
  await rm(folder, { recursive: true })
})

test('a tool has no right to gain, and none at all over the machine', async ({ skip }) => {
  skip(!says('with no new privileges'), 'no setpriv here')
  const status = await shell('cat /proc/self/status')
  expect(status).toMatch(/NoNewPrivs:\t1/)
  expect(status).toMatch(/CapEff:\t0000000000000000/)
})

test('a tool reaches nothing that listens on this machine, and its source all the same', async ({
  skip,
}) => {
  skip(!says('without network'), 'no namespaces here')
  let calls = 0
  const server = http.createServer((_, response) => {
    calls += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const connect = `use IO::Socket::INET; exit(IO::Socket::INET->new("127.0.0.1:${port}") ? 0 : 7)`
  const command = { path: 'perl', args: ['-e', connect] }
  await runTool(command)
  await expect(runTool({ ...command, confinement: tools.confinement })).rejects.toThrow('code 7')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(calls).toBe(0)
  const bytes = await colourVideo({ seconds: 2 })
  const scratch = await createScratch()
  const outputFile = await scratch.file('mobile.mp4', tools.confinement?.account)
  await withPlainSource(plainFile(bytes), (url) => encodeMobileVideo(tools, url, { outputFile }))
  expect((await readFile(outputFile)).subarray(4, 8).toString()).toBe('ftyp')
  await scratch.remove()
})

test('a tool can fill the file it is lent, and put nothing else in its place', async ({ skip }) => {
  skip(!says('as uid 65533'), 'not root here, or no way to change accounts')
  const scratch = await createScratch()
  const file = await scratch.file('out', tools.confinement?.account)
  await shell(`echo made > ${file}`)
  expect(await readFile(file, 'utf8')).toBe('made\n')
  await expect(shell(`rm -f ${file}`)).rejects.toThrow('ended with code')
  await expect(shell(`ln -s /etc/hostname ${file}.link`)).rejects.toThrow('ended with code')
  await scratch.remove()
})

test('a tool dies with the program that runs it, even one killed without a word', async ({
  skip,
}) => {
  skip(!says('with no new privileges'), 'no setpriv here')
  const program = `
    import { confineTools } from '#server/platform/media-tools/confine-tools.ts'
    import { runTool } from '#server/platform/media-tools/tool-process.ts'
    const log = { info() {}, warn() {} }
    const { confinement } = await confineTools(${JSON.stringify(TOOLS)}, log)
    const args = ['-c', 'echo $$ >&3; exec sleep 600']
    runTool({ path: '/bin/sh', args, confinement, onLine: (line) => console.log(line) })`
  const args = ['--input-type=module-typescript', '--eval', program]
  const child = spawn(process.execPath, args, {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const stat = () => readFile(`/proc/${Number(line)}/stat`, 'utf8').catch(() => 'gone')
  // It says its number a moment before it becomes what it is to be.
  await expect.poll(stat).toContain('(sleep)')
  child.kill('SIGKILL')
  // Dead, though perhaps not buried yet.
  await expect.poll(stat).toMatch(/^gone$|\) Z /)
})

test('tools of a program without rights see neither its keys nor its memory', async ({ skip }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'confine-tools-'))
  await chmod(folder, 0o755)
  await mkdir(path.join(folder, 'keys'))
  await writeFile(path.join(folder, 'keys/master.key'), 'the key')
  const key = path.join(folder, 'keys/master.key')
  const program = `
    import { confineTools } from '#server/platform/media-tools/confine-tools.ts'
    import { runTool } from '#server/platform/media-tools/tool-process.ts'
    const said = []
    const log = { info: (...words) => said.push(words.at(-1)), warn: (...words) => said.push(words.at(-1)) }
    const tools = await confineTools(${JSON.stringify(TOOLS)}, log, [${JSON.stringify(folder)}, '/tmp', '/nowhere'])
    const read = (script, confinement) =>
      runTool({ path: '/bin/sh', args: ['-c', script], confinement })
        .then(String, (error) => 'refused: ' + error.message)
    console.log(JSON.stringify([
      said.at(-1),
      await read('cat ${key}'),
      await read('cat ${key}', tools.confinement),
      await read('cat /proc/' + process.pid + '/root${key}', tools.confinement),
      await read('cat /proc/' + process.pid + '/environ', tools.confinement),
      await read('unshare --user --map-root-user --mount sh -c "umount ${folder}; cat ${key}"', tools.confinement),
    ]))
    process.exit()`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
  })
  const [said, plainly, ...confined] = JSON.parse(await text(child.stdout)) as string[]
  await rm(folder, { recursive: true })
  skip(!said?.includes('without sight of keys'), 'no user namespaces here')
  expect(plainly).toBe('the key')
  expect(confined).toHaveLength(4)
  for (const answer of confined) expect(answer).toMatch(/^refused: /)
})

test('tools that another account cannot reach are run all the same, and the log says how', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'confine-tools-'))
  const said: string[] = []
  const note = (...words: unknown[]) => void said.push(String(words.at(-1)))
  const { ffprobePath } = TOOLS
  const ffmpegPath = path.join(folder, 'ffmpeg')
  await runTool({
    path: '/bin/sh',
    args: ['-c', `ln -s "$(command -v ${TOOLS.ffmpegPath})" ${ffmpegPath}`],
  })
  const found = await confineTools({ ffmpegPath, ffprobePath }, { info: note, warn: note } as never)
  await runTool({ path: ffmpegPath, args: ['-version'], confinement: found.confinement })
  expect(said.at(-1)).not.toContain('uid 65533')
  expect(said.at(-1)).toContain(': a stronger confinement failed')
  found.close()
  await rm(folder, { recursive: true })
})
