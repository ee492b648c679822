import type { Bytes } from '#contract/proofs/bytes.ts'
import { openCheckpoint, parseLogKey } from '#contract/proofs/checkpoint.ts'
import { hashStream } from '#contract/proofs/file-hash.ts'
import { findCheckpoint } from '#contract/proofs/found-checkpoint.ts'
import { type MetBefore, verifyProof } from '#contract/proofs/verify-proof.ts'
import { showVerdict } from './show-verdict.ts'

/** What was given so far; everything is computed anew at each change. */
const given: { proof?: unknown; fileSha256?: Bytes | undefined; met: string } = { met: '' }

function field<T extends Element>(id: string): T {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page lacks #${id}`)
  return element as unknown as T
}

const result = field<HTMLElement>('result')
const reading = field<HTMLProgressElement>('reading')

/** Without the log, only a checkpoint of the same size can be compared; its signature shows whose the key is. */
function metBefore(): MetBefore | undefined {
  const checkpoint = findCheckpoint(given.met)
  const { key, checkpoint: now } = (given.proof ?? {}) as Record<string, unknown>
  if (!checkpoint || typeof key !== 'string' || typeof now !== 'string') return undefined
  const logKey = parseLogKey(key)
  const sizes = [checkpoint, now].map((note) => logKey && openCheckpoint(note, logKey)?.size)
  return { key, checkpoint, consistency: sizes[0] === sizes[1] ? [] : undefined }
}

function update(): void {
  if (!('proof' in given)) return
  const verdict = verifyProof(given.proof, {
    fileSha256: given.fileSha256,
    metBefore: metBefore(),
  })
  showVerdict(result, verdict)
}

async function takeProof(file: File): Promise<void> {
  try {
    given.proof = JSON.parse(await file.text())
  } catch {
    given.proof = undefined
  }
  update()
}

async function takeFile(file: File): Promise<void> {
  given.fileSha256 = undefined
  reading.hidden = false
  given.fileSha256 = await hashStream(file.stream(), (bytes) => {
    reading.value = (bytes / file.size) * 100
  })
  reading.hidden = true
  update()
}

function takeEach(files: Iterable<File>): void {
  for (const file of files) void (file.name.endsWith('.json') ? takeProof(file) : takeFile(file))
}

function onFile(id: string, take: (file: File) => Promise<void>): void {
  const input = field<HTMLInputElement>(id)
  input.addEventListener('change', () => {
    const file = input.files?.[0]
    if (file) void take(file)
  })
}

onFile('proof', takeProof)
onFile('file', takeFile)
field<HTMLTextAreaElement>('met').addEventListener('input', ({ target }) => {
  given.met = (target as HTMLTextAreaElement).value
  const isNone = given.met.trim() !== '' && findCheckpoint(given.met) === undefined
  field('met-none').textContent = isNone ? 'Aucun point de contrôle dans ce texte.' : ''
  update()
})
document.addEventListener('dragover', (event) => {
  event.preventDefault()
  document.body.classList.add('dropping')
})
document.addEventListener('dragleave', () => document.body.classList.remove('dropping'))
document.addEventListener('drop', (event) => {
  event.preventDefault()
  document.body.classList.remove('dropping')
  takeEach(event.dataTransfer?.files ?? [])
})
