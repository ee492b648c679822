import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import type { Sound } from '#contract/sounds.ts'
import { cameBefore, launchPhone } from './harness/browser.ts'
import { readBrowserMemory } from './harness/browser-memory.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { CPU_SLOWDOWN } from './harness/frames.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { type Program, signUp, startProgram } from './harness/program.ts'

const MB = 1024 * 1024
const A_MINUTE_MS = 60_000
/** A line so slow that a cut falls in the middle of the transfer. */
const SENDING_SECONDS = 12
const CUT_AT_PERCENT = 30

interface Phone {
  page: Page
  context: BrowserContext
  session: CDPSession
  profile: string
}

/** The cost of a long recording for its phone, and whether it arrives whole when the network fails in between. */
export async function run({ minutes }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const program = await startProgram(path.join(folder, 'data'), {}, atEnd)
  const { token } = await signUp(program)
  const phone = await openPhone(path.join(folder, 'profile'), token, atEnd)
  console.log(describeMachine())
  console.table(await record(phone, program.origin, minutes))
  await send(phone)
  await requireArrived(program, token, minutes)
}

async function openPhone(profile: string, token: string, atEnd: AtEnd): Promise<Phone> {
  const context = await launchPhone(profile, atEnd)
  await cameBefore(context, token)
  const page = context.pages()[0] ?? (await context.newPage())
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return { page, context, session, profile }
}

async function record({ page, session, profile }: Phone, origin: string, minutes: number) {
  await page.goto(`${origin}/family-sound`)
  await page.getByRole('button', { name: 'Enregistrer' }).first().click()
  const recorder = page.getByRole('dialog')
  await recorder.getByRole('button', { name: 'Enregistrer' }).click()
  await recorder.getByRole('button', { name: 'Terminer' }).waitFor()
  const startedAt = Date.now()
  const rows: Record<string, unknown> = {}
  for (let minute = 0; minute <= minutes; minute += 1) {
    await delay(Math.max(0, startedAt + minute * A_MINUTE_MS - Date.now()))
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const heapMb = Math.round((usedSize / MB) * 10) / 10
    rows[`minute ${minute}`] = { heapMb, ...(await readBrowserMemory(profile)) }
  }
  await recorder.getByRole('button', { name: 'Terminer' }).click()
  await recorder.getByLabel('Titre').waitFor()
  return rows
}

/** On a slow line that is cut in the middle, then is there again. */
async function send({ page, context, session }: Phone): Promise<void> {
  const recorder = page.getByRole('dialog')
  const sizeBytes = await page.evaluate(readStoredBytes)
  const line = { offline: false, latency: 40, downloadThroughput: 1e6 }
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    ...line,
    uploadThroughput: sizeBytes / SENDING_SECONDS,
  })
  await recorder.getByRole('button', { name: 'Envoyer' }).click()
  const bar = recorder.getByRole('progressbar')
  while (Number(await bar.getAttribute('aria-valuenow')) < CUT_AT_PERCENT) await delay(50)
  await context.setOffline(true)
  await recorder.getByText('Rien n’est perdu').waitFor()
  console.log(`Cut at ${CUT_AT_PERCENT} % of ${(sizeBytes / MB).toFixed(1)} MB: the page says so.`)
  await session.send('Network.emulateNetworkConditions', {
    ...line,
    latency: 0,
    uploadThroughput: -1,
  })
  const backAt = Date.now()
  await context.setOffline(false)
  await recorder.waitFor({ state: 'hidden', timeout: 180_000 })
  const seconds = ((Date.now() - backAt) / 1000).toFixed(1)
  console.log(`Sent by itself ${seconds} s after the line was back.`)
}

/** Of what waits on this device. */
async function readStoredBytes(): Promise<number> {
  const databases = await indexedDB.databases()
  const name = databases.find((one) => one.name?.startsWith('recordings:'))?.name ?? ''
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const request = opening.result.transaction('recordings').objectStore('recordings').getAll()
      request.onsuccess = () => {
        opening.result.close()
        resolve(request.result[0]?.sizeBytes ?? 0)
      }
    }
  })
}

async function requireArrived({ call }: Program, token: string, minutes: number): Promise<void> {
  const { sounds } = await call<{ sounds: Sound[] }>('GET', '/api/family-sounds', { token })
  const [sound] = sounds
  if (sounds.length !== 1 || !sound?.duration) throw new Error(`${sounds.length} sounds arrived`)
  const megabytes = ((sound.file_size ?? 0) / MB).toFixed(1)
  console.log(`Arrived once: ${sound.duration.toFixed(1)} s of ${minutes * 60}, ${megabytes} MB.`)
}
