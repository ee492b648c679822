import { useEffect, useRef, useState } from 'react'
import type { Proof } from '#contract/proofs/proof.ts'
import type { EarlierCheckpoint, Verdict } from '#contract/proofs/verify-proof.ts'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { useRefreshRevelation } from '#web/features/revelations/revelations.queries.ts'
import { fetchProof } from './proofs.queries.ts'

/** A file up to this size is verified without a further click. */
const READ_AT_ONCE_BYTES = 20_000_000

interface Checked {
  proof: Proof
  earlier: EarlierCheckpoint | undefined
  verdict: Verdict
}

interface Verification {
  checked: Checked | undefined
  isWorking: boolean
  /** Bytes of the file read so far, while it is read. */
  readBytes: number | undefined
  error: unknown
  verify(): void
  verifyFile(): void
}

// Cryptography, loaded on demand.
const loadVerifier = () => import('./verify-here.ts')

/** Verifies the shown revelation, and its file when it is small. */
export function useVerification(revelation: Revelation): Verification {
  const refresh = useRefreshRevelation()
  const [checked, setChecked] = useState<Checked>()
  const [isWorking, setWorking] = useState(false)
  const [readBytes, setReadBytes] = useState<number>()
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
  }

  async function verify(signal: AbortSignal): Promise<void> {
    const { withShownText, recallCheckpoint, verifyHere } = await loadVerifier()
    const answered = await fetchProof(revelation.id, signal)
    const isShown = answered.versions.at(-1)?.commitment === revelation.commitment
    const proof = withShownText(answered, isShown ? revelation : await refresh(revelation.id))
    const earlier = await recallCheckpoint(proof)
    setChecked({ proof, earlier, verdict: verifyHere(proof, earlier, undefined) })
    const size = isOpen(revelation) ? revelation.file_size : null
    if (proof.opening?.file_sha256 && size !== null && size <= READ_AT_ONCE_BYTES) {
      await readFile({ proof, earlier }, signal)
    }
  }

  async function readFile(
    { proof, earlier }: Pick<Checked, 'proof' | 'earlier'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { hashFile, verifyHere } = await loadVerifier()
    setReadBytes(0)
    // Tickets of files live for minutes.
    const fresh = await refresh(revelation.id)
    const fileSha256 = isOpen(fresh)
      ? await hashFile(fresh.file_url, setReadBytes, signal)
      : undefined
    setChecked({ proof, earlier, verdict: verifyHere(proof, earlier, fileSha256) })
  }

  return {
    checked,
    isWorking,
    readBytes,
    error,
    verify: () => void run(verify),
    verifyFile: () => void run(async (signal) => checked && readFile(checked, signal)),
  }
}
