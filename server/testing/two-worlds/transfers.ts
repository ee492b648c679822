import { UPLOADS_URL } from '#contract/uploads.ts'
import { type Call, jsonOf, type Seen } from './calls.ts'
import type { Pair } from './secrets.ts'
import { lockedFile } from './secrets.ts'
import {
  compareBoth,
  compareTraces,
  Difference,
  inBoth,
  requireRefusal,
  type Story,
  sendBoth,
} from './story.ts'
import { type Caller, OBSERVERS } from './trace.ts'
import { stockFileOf, type World } from './worlds.ts'

const TUS = { 'tus-resumable': '1.0.0' }
const PART = { ...TUS, 'content-type': 'application/offset+octet-stream' }
/** Where the author stops for a while. */
const HALF = 100

/**
 * The author sends a file in two parts, with other bytes, another length and name in each world. Between the parts and after
 * the last, everybody tries to see it, to continue it, to own it and to end it.
 */
export async function transfers(story: Story): Promise<void> {
  const files = await inBoth(story, ({ name }) => lockedFile(name, 'image', 0))
  const begun = await sendBoth(story, { by: 'author' }, ({ name }) => ({
    method: 'POST',
    path: UPLOADS_URL,
    headers: {
      ...TUS,
      'upload-length': String(files[name].bytes.length),
      'upload-metadata': `filename ${Buffer.from(files[name].name ?? '').toString('base64')}`,
    },
  }))
  const at = await inBoth(story, ({ name }) => requireDone(begun[name], 201).headers.location ?? '')
  await sendPart(story, ({ name }) => [at[name], 0, files[name].bytes.subarray(0, HALF)])
  for (const by of OBSERVERS) await tryUpload(story, by, ({ name }) => [at[name], HALF])
  await sendPart(story, ({ name }) => [at[name], HALF, files[name].bytes.subarray(HALF)])
  const finished = await sendBoth(story, { by: 'author' }, ({ name }) => ({
    method: 'POST',
    path: `${at[name]}/file`,
    body: { folder: 'images' },
  }))
  const sent = await inBoth(story, ({ name }) =>
    stockFileOf(jsonOf(requireDone(finished[name], 201))),
  )
  story.files.push({ by: 'author', kind: 'image', sent })
  for (const by of OBSERVERS) {
    await tryUpload(story, by, ({ name }) => [at[name], files[name].bytes.length])
    const failed = await compareBoth(story, { by }, ({ name }) => ({
      method: 'POST',
      path: `/api/jobs/${sent[name].jobIds[0]}/retry`,
    }))
    requireRefusal(`trying a step of the author again by ${by}`, failed.A)
  }
  for (const by of OBSERVERS) await sendOwn(story, by)
  await inBoth(story, ({ server }) => server.runJobs())
  compareTraces(story, 'the transfers')
}

function requireDone(seen: Seen, status: number): Seen {
  if (seen.status === status) return seen
  throw new Error(`The author was answered ${seen.status}: ${seen.bytes}`)
}

async function sendPart(
  story: Story,
  part: (world: World) => [path: string, offset: number, bytes: Buffer],
): Promise<void> {
  const seen = await sendBoth(story, { by: 'author' }, (world) => {
    const [path, offset, body] = part(world)
    return { method: 'PATCH', path, headers: { ...PART, 'upload-offset': String(offset) }, body }
  })
  await inBoth(story, ({ name }) => requireDone(seen[name], 204))
}

/** Every door of somebody else's upload, at the offset it really has. */
async function tryUpload(
  story: Story,
  by: Caller,
  place: (world: World) => [path: string, offset: number],
): Promise<void> {
  const doors: ((path: string, offset: number) => Call)[] = [
    (path) => ({ method: 'GET', path }),
    (path) => ({ method: 'HEAD', path, headers: TUS }),
    (path, offset) => ({
      method: 'PATCH',
      path,
      headers: { ...PART, 'upload-offset': String(offset) },
      body: Buffer.from('mine'),
    }),
    (path) => ({ method: 'POST', path: `${path}/file`, body: { folder: 'images' } }),
    (path) => ({ method: 'DELETE', path, headers: TUS }),
  ]
  for (const door of doors) {
    const { A } = await compareBoth(story, { by }, (world) => door(...place(world)))
    requireRefusal(`a door of the author’s upload by ${by}`, A)
  }
  const { A: list } = await compareBoth(story, { by }, () => ({ method: 'GET', path: UPLOADS_URL }))
  if (jsonOf(list)?.uploads?.length > 0) throw new Difference(`${by} sees an upload of the author`)
}

/** Own uploads have equal answers in both worlds, although the author’s uploads differ. */
async function sendOwn(story: Story, by: Caller): Promise<void> {
  const begun = await compareBoth(story, { by }, () => ({
    method: 'POST',
    path: UPLOADS_URL,
    headers: { ...TUS, 'upload-length': '4' },
  }))
  const { A, B }: Pair<string | undefined> = {
    A: begun.A.headers.location,
    B: begun.B.headers.location,
  }
  if (!A || !B) return
  const at = { A, B }
  const send = (call: Omit<Call, 'path'>) =>
    compareBoth(story, { by }, ({ name }) => ({ ...call, path: at[name] }))
  const offset = { ...PART, 'upload-offset': '0' }
  await send({ method: 'PATCH', headers: offset, body: Buffer.from('mine') })
  await send({ method: 'HEAD', headers: TUS })
  await send({ method: 'DELETE', headers: TUS })
}
