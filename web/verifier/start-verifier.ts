import { hexOf } from '#contract/proofs/bytes.ts'
import { findCheckpoints } from '#contract/proofs/checkpoint.ts'
import { isEvidence } from '#contract/proofs/evidence.ts'
import { openNoteOf } from '#contract/proofs/held-checkpoints.ts'
import type { HeldCheckpoint, Verdict } from '#contract/proofs/verdict.ts'
import { verify } from '#contract/proofs/verify.ts'
import { carriedInWords, readCarriedLog } from './carried-log.ts'
import { type HashedFile, hashFiles, latestOnly } from './chosen-files.ts'
import { showEvidence, showVerdict } from './show-verdict.ts'

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

  function update(): void {
    const { held, note } = readPasted(inputs.text)
    field('met-none').textContent = note
    const isProof = ({ content }: GivenFile) => !isEvidence(content)
    const context = {
      known: carried?.known,
      now: new Date(),
      files: inputs.files.map(({ sha256 }) => sha256),
      // Of several files some may be no proof’s: an archive has voices and answers beside what was sealed.
      isOnlyProof: inputs.proofs.filter(isProof).length === 1 && inputs.files.length === 1,
    }
    // The carried checkpoint, where it is the one of the proof, shows nothing more.
    const heldFor = (content: unknown) => [
      ...(carried?.held ?? []).filter(({ note }) => note !== checkpointOf(content)),
      ...held,
    ]
    const verdicts = new Map<GivenFile, Verdict>()
    for (const one of inputs.proofs.filter(isProof)) {
      verdicts.set(one, verify(one.content, { ...context, held: heldFor(one.content) }))
    }
    field('files-none').textContent = unmatchedInWords(inputs.files, [...verdicts.values()])
    const shown = inputs.proofs.flatMap((one) => {
      const name = inputs.proofs.length > 1 ? one.name : undefined
      const verdict = verdicts.get(one)
      return verdict
        ? showVerdict(verdict, name)
        : [showEvidence(one.content, carried?.known, name)]
    })
    field('result').replaceChildren(...shown)
  }

  /** Those that the known log signed are held against every proof. */
  function readPasted(text: string): { held: HeldCheckpoint[]; note: string } {
    if (text.trim() === '') return { held: [], note: '' }
    const notes = findCheckpoints(text)
    if (notes.length === 0) return { held: [], note: 'Aucun point de contrôle dans ce texte.' }
    const { known } = carried ?? {}
    const keys = known ? [known.key, ...known.former.map(({ key }) => key)] : []
    const since = new Date().toISOString()
    const held = notes.flatMap((note) => {
      const key = keys.find((one) => openNoteOf({ key: one, note }))
      return key ? [{ key, note, source: 'mailed' as const, since }] : []
    })
    return { held, note: held.length < notes.length ? unsignedInWords(notes.length) : '' }
  }

  const readProofs = latestOnly((files: readonly File[]) =>
    Promise.all(files.map(async (file) => ({ name: file.name, content: await readJson(file) }))),
  )
  const reading = field<HTMLProgressElement>('reading')
  const readFiles = latestOnly((files: readonly File[], isLatest) =>
    hashFiles(files, isLatest, (percent) => {
      reading.value = percent
    }),
  )

  async function chooseProofs(files: readonly File[]): Promise<void> {
    const proofs = await readProofs(files)
    if (!proofs) return
    inputs.proofs = proofs
    update()
  }

  async function chooseFiles(files: readonly File[]): Promise<void> {
    inputs.files = []
    update()
    reading.value = 0
    reading.hidden = files.length === 0
    try {
      const hashed = await readFiles(files)
      if (!hashed) return
      inputs.files = hashed
      update()
    } catch {
      field('files-none').textContent =
        'Ces fichiers n’ont pas pu être lus. Choisissez-les de nouveau.'
    }
    reading.hidden = true
  }

  function onChoice(id: string, choose: (files: readonly File[]) => Promise<void>): void {
    const input = field<HTMLInputElement>(id)
    input.addEventListener('change', () => void choose([...(input.files ?? [])]))
  }

  onChoice('proof', chooseProofs)
  onChoice('files', chooseFiles)
  field<HTMLTextAreaElement>('met').addEventListener('input', ({ target }) => {
    inputs.text = (target as HTMLTextAreaElement).value
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
    const dropped = [...(event.dataTransfer?.files ?? [])]
    const [proofs, files] = [true, false].map((isProof) =>
      dropped.filter(({ name }) => /\.json$/i.test(name) === isProof),
    )
    if (proofs?.length) void chooseProofs(proofs)
    if (files?.length) void chooseFiles(files)
  })
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

function unsignedInWords(count: number): string {
  return count === 1
    ? 'Ce point de contrôle ne porte pas la signature du journal.'
    : 'L’un de ces points de contrôle, au moins, ne porte pas la signature du journal.'
}

/** Of several proofs or files none says that a file is another one: it may be of any of them, or of none. */
function unmatchedInWords(files: readonly HashedFile[], verdicts: readonly Verdict[]): string {
  const isSaid = verdicts.some(({ steps }) =>
    steps.some(({ because }) => because === 'another file'),
  )
  if (verdicts.length === 0 || isSaid) return ''
  const expected = new Set(
    verdicts.flatMap(({ facts, claims }) =>
      ((facts ?? claims)?.files ?? []).map(({ sha256 }) => sha256),
    ),
  )
  const names = files.filter(({ sha256 }) => !expected.has(hexOf(sha256))).map(({ name }) => name)
  return names.length > 0
    ? `Ces fichiers ne sont dans aucune preuve\u202F: ${names.join(', ')}.`
    : ''
}
