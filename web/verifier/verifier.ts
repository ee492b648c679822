import type { Bytes } from '#contract/proofs/bytes.ts'
import { findCheckpoint, openCheckpoint, parseLogKey } from '#contract/proofs/checkpoint.ts'
import { hashStream } from '#contract/proofs/file-hash.ts'
import { type EarlierCheckpoint, verifyProof } from '#contract/proofs/verify-proof.ts'
import { showVerdict } from './show-verdict.ts'

/** The inputs so far; each change verifies everything anew. */
const inputs: { proof?: unknown; fileSha256?: Bytes | undefined; knownText: string } = {
  knownText: '',
}

function field<T extends Element>(id: string): T {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page lacks #${id}`)
  return element as unknown as T
}

const result = field<HTMLElement>('result')
const reading = field<HTMLProgressElement>('reading')

/** Without the log, only a checkpoint of the same size can be compared; its signature shows whose the key is. */
function readKnownCheckpoint(): EarlierCheckpoint | undefined {
  const checkpoint = findCheckpoint(inputs.knownText)
  const { key, checkpoint: now } = (inputs.proof ?? {}) as Record<string, unknown>
  if (!checkpoint || typeof key !== 'string' || typeof now !== 'string') return undefined
  const logKey = parseLogKey(key)
  const sizes = [checkpoint, now].map((note) => logKey && openCheckpoint(note, logKey)?.size)
  return { key, checkpoint, consistency: sizes[0] === sizes[1] ? [] : undefined }
}

function update(): void {
  if (!('proof' in inputs)) return
  const verdict = verifyProof(inputs.proof, {
    fileSha256: inputs.fileSha256,
    earlier: readKnownCheckpoint(),
  })
  showVerdict(result, verdict)
}

async function readProof(file: File): Promise<void> {
  try {
    inputs.proof = JSON.parse(await file.text())
  } catch {
    inputs.proof = undefined
  }
  update()
}

async function readFile(file: File): Promise<void> {
  inputs.fileSha256 = undefined
  reading.hidden = false
  inputs.fileSha256 = await hashStream(file.stream(), (bytes) => {
    reading.value = (bytes / file.size) * 100
  })
  reading.hidden = true
  update()
}

function readEach(files: Iterable<File>): void {
  for (const file of files) void (file.name.endsWith('.json') ? readProof(file) : readFile(file))
}

function onFile(id: string, read: (file: File) => Promise<void>): void {
  const input = field<HTMLInputElement>(id)
  input.addEventListener('change', () => {
    const file = input.files?.[0]
    if (file) void read(file)
  })
}

onFile('proof', readProof)
onFile('file', readFile)
field<HTMLTextAreaElement>('met').addEventListener('input', ({ target }) => {
  inputs.knownText = (target as HTMLTextAreaElement).value
  const isNone = inputs.knownText.trim() !== '' && findCheckpoint(inputs.knownText) === undefined
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
  readEach(event.dataTransfer?.files ?? [])
})
