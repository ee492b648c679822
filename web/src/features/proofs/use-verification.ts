import { useEffect, useRef, useState } from 'react'
import type { Bytes } from '#contract/proofs/bytes.ts'
import type { AnyProof } from '#contract/proofs/proof.ts'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { useRefreshRevelation } from '#web/features/revelations/revelations.queries.ts'
import type { Recorded } from './record-checkpoint.ts'
import { filesOf, sizeOfFiles } from './sealed-files.ts'
import type { CheckedHere } from './verify-here.ts'

/** Files up to this size together are verified without a further click. */
const READ_AT_ONCE_BYTES = 20_000_000

interface Checked extends CheckedHere {
  proof: AnyProof
  recorded: Recorded
  /** What the page showed. */
  shown: Revelation
}

interface Verification {
  checked: Checked | undefined
  isWorking: boolean
  /** Bytes of the files read so far, while they are read. */
  readBytes: number | undefined
  /** How much of a long proof is verified, from 0 to 1. */
  progress: number | undefined
  error: unknown
  verify(): void
  verifyFiles(): void
}

// Cryptography and the schemas of proofs, loaded on demand.
const loadVerifier = () => import('./verify-here.ts')

/** Verifies the shown revelation, and its files when they are small. */
export function useVerification(revelation: Revelation): Verification {
  const refresh = useRefreshRevelation()
  const [checked, setChecked] = useState<Checked>()
  const [isWorking, setWorking] = useState(false)
  const [readBytes, setReadBytes] = useState<number>()
  const [progress, setProgress] = useState<number>()
  const [error, setError] = useState<unknown>()
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current?.abort()
  }, [])

  async function run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const signal = leaving.current?.signal
    if (!signal) return
    setWorking(true)
    setError(undefined)
    try {
      await work(signal)
    } catch (cause) {
      if (!signal.aborted) setError(cause)
    }
    setWorking(false)
    setReadBytes(undefined)
    setProgress(undefined)
  }

  async function verify(signal: AbortSignal): Promise<void> {
    const { isShownOtherwise, requestProof, verifyHere } = await loadVerifier()
    const { proof, recorded } = await requestProof(revelation.id, signal)
    const watch = { signal, onProgress: setProgress }
    const here = await verifyHere(proof, recorded, { revelation }, watch)
    // What is on the screen may be from before an edit.
    const shown = isShownOtherwise(here.verdict) ? await refresh(revelation.id) : revelation
    const checkedNow =
      shown === revelation ? here : await verifyHere(proof, recorded, { revelation: shown }, watch)
    setChecked({ proof, recorded, shown, ...checkedNow })
    const size = sizeOfFiles(shown)
    const isExpected = checkedNow.verdict.steps.some(({ name }) => name === 'file')
    if (isExpected && size !== null && size <= READ_AT_ONCE_BYTES) {
      await readFiles({ proof, recorded }, signal)
    }
  }

  async function readFiles(
    { proof, recorded }: Pick<Checked, 'proof' | 'recorded'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { hashFile, verifyHere } = await loadVerifier()
    setReadBytes(0)
    const files: (Bytes | undefined)[] = []
    let readBefore = 0
    for (;;) {
      // Before each: tickets of files live for minutes.
      const file = filesOf(await refresh(revelation.id))?.[files.length]
      if (!file?.url) break
      const readSoFar = (bytes: number) => setReadBytes(readBefore + bytes)
      const url = file.is_sealed ? file.url : null
      files.push(url === null ? undefined : await hashFile(url, readSoFar, signal))
      if (url !== null) readBefore += file.size
    }
    const fresh = await refresh(revelation.id)
    const watch = { signal, onProgress: setProgress }
    const here = await verifyHere(proof, recorded, { revelation: fresh, files }, watch)
    setChecked({ proof, recorded, shown: fresh, ...here })
  }

  return {
    // It says nothing of a page that shows something else by now.
    checked:
      checked && shownContentOf(checked.shown) === shownContentOf(revelation) ? checked : undefined,
    isWorking,
    readBytes,
    progress,
    error,
    verify: () => void run(verify),
    verifyFiles: () => void run(async (signal) => checked && readFiles(checked, signal)),
  }
}

/** All of a page that a verdict is about. */
function shownContentOf(revelation: Revelation): string {
  const { title, reveal_date, author_id, version, created_at } = revelation
  const { visibility, public_since } = revelation
  const { content } = isOpen(revelation) ? revelation : {}
  // The size of a copy is known once it is rendered, and is nothing that was sealed.
  const files = filesOf(revelation)?.map(({ is_sealed, size, caption }) => [
    is_sealed && size,
    caption,
  ])
  const envelope = [title, reveal_date, author_id, version, created_at, visibility, public_since]
  return JSON.stringify([envelope, content, files])
}
