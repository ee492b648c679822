import { hexOf } from '#contract/proofs/bytes.ts'
import { findCheckpoints } from '#contract/proofs/checkpoint.ts'
import { isEvidence } from '#contract/proofs/evidence.ts'
import type { HeldCheckpoint, Verdict } from '#contract/proofs/verdict.ts'
import { type Job, verifyAll } from '#web/features/proofs/verify-all.ts'
import { carriedInWords, readCarriedLog, signerOf, signersInWords } from './carried-log.ts'
import { type HashedFile, hashFiles, latestOnly } from './chosen-files.ts'
import {
  showCounts,
  showDatesOutOfOrder,
  showEvidence,
  showNoProof,
  showOneOf,
  showVerdict,
} from './show-verdict.ts'

interface GivenFile {
  name: string
  /** Undefined when it is no JSON. */
  content: unknown
}

function field<T extends Element>(id: string): T {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page lacks #${id}`)
  return element as unknown as T
}

/** Makes the page verify anew with every change of what it is given. */
export function startVerifier(): void {
  const carried = readCarriedLog(field('known-log').textContent ?? 'null')
  const inputs: { proofs: GivenFile[]; files: HashedFile[]; text: string } = {
    ...{ proofs: [], files: [], text: '' },
  }
  field('known').textContent = carriedInWords(carried)

  const verifying = field<HTMLProgressElement>('verifying')
  const verifyLatest = latestOnly((jobs: readonly Job[], signal) => {
    verifying.value = 0
    return verifyAll(jobs, {
      signal,
      start: startWorker,
      onProgress(done) {
        verifying.value = done
        verifying.hidden = false
      },
    })
  })

  async function update(): Promise<void> {
    const { held, note } = readPasted(inputs.text)
    field('met-none').textContent = note
    const isProof = ({ content }: GivenFile) => isNamedProof(content)
    const context = {
      known: carried?.known,
      now: new Date(),
      files: inputs.files.map(({ sha256 }) => sha256),
      // Of several files some may be no proof’s: an archive has voices and answers beside what was sealed.
      isOnlyProof: inputs.proofs.filter(isProof).length === 1 && inputs.files.length === 1,
    }
    // The checkpoint of the proof itself shows nothing more, carried or pasted.
    const heldFor = (content: unknown) =>
      [...(carried?.held ?? []), ...held].filter(({ note }) => note !== checkpointOf(content))
    const proofs = inputs.proofs.filter(isProof)
    const isOwn = ({ note }: HeldCheckpoint) =>
      proofs.length > 0 && proofs.every(({ content }) => note === checkpointOf(content))
    if (held.length > 0 && held.every(isOwn)) field('met-none').textContent = OWN_CHECKPOINT
    const jobs = proofs.map(({ content }) => ({
      proof: content,
      context: { ...context, held: heldFor(content) },
    }))
    field('result').replaceChildren()
    const answers = await verifyLatest(jobs)
    // Something else was chosen meanwhile.
    if (!answers) return
    verifying.hidden = true
    const verdicts = new Map(proofs.map((one, at) => [one, answers[at] as Verdict]))
    field('files-none').textContent = unmatchedInWords(inputs.files, [...verdicts.values()])
    const isOne = inputs.proofs.length === 1
    const shown = worstFirst(inputs.proofs, verdicts).flatMap((one) => {
      const verdict = verdicts.get(one)
      if (!verdict) {
        return isEvidence(one.content)
          ? showEvidence(one.content, carried?.known, isOne ? undefined : one.name)
          : showNoProof(one.name)
      }
      return isOne ? showVerdict(verdict) : showOneOf(verdict, one.name)
    })
    if (answers.length > 1) shown.unshift(showCounts(answers), ...showDatesOutOfOrder(answers))
    field('result').replaceChildren(...shown)
  }

  /** Those that the known log signed are held against every proof. */
  function readPasted(text: string): { held: HeldCheckpoint[]; note: string } {
    if (text.trim() === '') return { held: [], note: '' }
    const notes = findCheckpoints(text)
    if (notes.length === 0) return { held: [], note: 'Aucun point de contrôle dans ce texte.' }
    const since = new Date().toISOString()
    const signed = notes.map((note) => ({ note, signer: signerOf(note, carried?.known) }))
    const held = signed.flatMap(({ note, signer }) =>
      signer && !signer.isLate ? [{ key: signer.key, note, source: 'mailed' as const, since }] : [],
    )
    return { held, note: signersInWords(signed.map(({ signer }) => signer)) }
  }

  const readProofs = latestOnly((files: readonly File[]) =>
    Promise.all(files.map(async (file) => ({ name: file.name, content: await readJson(file) }))),
  )
  const reading = field<HTMLProgressElement>('reading')
  const readFiles = latestOnly((files: readonly File[], signal) =>
    hashFiles(files, signal, (percent) => {
      reading.value = percent
    }),
  )

  async function chooseProofs(files: readonly File[]): Promise<void> {
    const proofs = await readProofs(files)
    if (!proofs) return
    inputs.proofs = proofs
    await update()
  }

  async function chooseFiles(files: readonly File[]): Promise<void> {
    inputs.files = []
    void update()
    reading.value = 0
    reading.hidden = files.length === 0
    try {
      const hashed = await readFiles(files)
      if (!hashed) return
      inputs.files = hashed
      await update()
    } catch {
      field('files-none').textContent =
        'Ces fichiers n’ont pas pu être lus. Choisissez-les de nouveau.'
    }
    reading.hidden = true
  }

  function onChoice(id: string, choose: (files: readonly File[]) => Promise<void>): void {
    const input = field<HTMLInputElement>(id)
    input.addEventListener('change', async () => {
      await choose([...(input.files ?? [])])
      // On a phone it is below the screen.
      field('result').scrollIntoView({ block: 'nearest' })
    })
  }

  onChoice('proof', chooseProofs)
  onChoice('files', chooseFiles)
  field<HTMLTextAreaElement>('met').addEventListener('input', ({ target }) => {
    inputs.text = (target as HTMLTextAreaElement).value
    void update()
  })
  document.addEventListener('dragover', (event) => {
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  document.addEventListener('dragleave', () => document.body.classList.remove('dropping'))
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    document.body.classList.remove('dropping')
    const dropped = [...(event.dataTransfer?.files ?? [])]
    const [proofs, files] = [true, false].map((isProof) =>
      dropped.filter(({ name }) => /\.json$/i.test(name) === isProof),
    )
    if (proofs?.length) void chooseProofs(proofs)
    if (files?.length) void chooseFiles(files)
  })
}

const OWN_CHECKPOINT =
  'C’est le point de contrôle qui est déjà dans la preuve\u202F: il ne montre rien de plus. Il en faut un qui vienne d’ailleurs.'

const STATES = ['failed', 'unproved', 'partly', 'proved'] as const satisfies Verdict['state'][]

/** In the order in which they were given, but what is wrong before what is not. */
function worstFirst(
  given: readonly GivenFile[],
  verdicts: ReadonlyMap<GivenFile, Verdict>,
): GivenFile[] {
  const rank = (one: GivenFile) => STATES.indexOf(verdicts.get(one)?.state ?? 'failed')
  return given.toSorted((one, other) => rank(one) - rank(other))
}

/** This very script, in a worker: the page is one file, wherever it was opened. */
function startWorker(): Worker {
  const script = document.querySelector('script[type="module"]')?.textContent ?? ''
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  try {
    return new Worker(address, { type: 'module' })
  } finally {
    // Not before it was fetched.
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  }
}

/** Whether it says that it is a proof, of whatever format. */
function isNamedProof(content: unknown): boolean {
  const { format } = (content ?? {}) as { format?: unknown }
  return typeof format === 'string' && format.startsWith('revelations.app/proof/')
}

function checkpointOf(content: unknown): unknown {
  return (content as { checkpoint?: unknown } | null | undefined)?.checkpoint
}

async function readJson(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text())
  } catch {
    return undefined
  }
}

/** Of several proofs or files none says that a file is another one: it may be of any of them, or of none. */
function unmatchedInWords(files: readonly HashedFile[], verdicts: readonly Verdict[]): string {
  const isSaid = verdicts.some(({ steps }) =>
    steps.some(({ because }) => because === 'another file'),
  )
  if (isSaid || files.length === 0) return ''
  if (verdicts.length === 0)
    return 'Choisissez aussi une preuve\u202F: un fichier ne se vérifie qu’avec elle.'
  const expected = new Set(
    verdicts.flatMap(({ facts, claims }) =>
      ((facts ?? claims)?.files ?? []).map(({ sha256 }) => sha256),
    ),
  )
  const names = files.filter(({ sha256 }) => !expected.has(hexOf(sha256))).map(({ name }) => name)
  return names.length > 0
    ? `Aucune de ces preuves ne porte ces fichiers\u202F: ${names.join(', ')}. Ou ils ont changé depuis, ou ils sont d’ailleurs.`
    : ''
}
