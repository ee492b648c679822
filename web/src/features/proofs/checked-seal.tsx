import { Download, FileCheck } from 'lucide-react'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { formatBytes } from '#web/lib/sizes.ts'
import { Button } from '#web/ui/button.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { SealedVersions } from './sealed-versions.tsx'
import type { useVerification } from './use-verification.ts'
import { VerdictLine, VerdictSteps } from './verdict-steps.tsx'
import { VerifierLink } from './verifier-link.tsx'

type Verification = ReturnType<typeof useVerification>

interface CheckedSealProps {
  revelation: Revelation
  verification: Verification
  checked: NonNullable<Verification['checked']>
}

/** What came out of a verification, step by step, and the proof to take away. */
export function CheckedSeal({ revelation, verification, checked }: CheckedSealProps) {
  return (
    <>
      <VerdictLine state={checked.verdict.state} />
      <VerdictSteps steps={checked.verdict.steps} />
      <FileStep revelation={revelation} verification={verification} checked={checked} />
      <h3 className="text-lg">Historique</h3>
      <SealedVersions versions={checked.proof.versions} timeZone={revelation.time_zone} />
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          icon={<Download aria-hidden="true" className="size-5" />}
          onClick={() => saveProof(revelation.id, checked.proof)}
        >
          Télécharger la preuve
        </Button>
        <VerifierLink />
      </div>
      <p className="text-ink-soft text-sm">
        Le vérificateur est une page qui s’ouvre sans connexion&nbsp;: donnez-lui la preuve, et le
        fichier s’il y en a un.
      </p>
    </>
  )
}

/** A large file is read only when somebody wants it. */
function FileStep({ revelation, verification, checked }: CheckedSealProps) {
  const { readBytes, isWorking, verifyFile } = verification
  const size = isOpen(revelation) ? revelation.file_size : null
  if (size === null) return null
  if (readBytes !== undefined) {
    const detail = `${formatBytes(readBytes)} sur ${formatBytes(size)}`
    return (
      <ProgressBar label="Lecture du fichier" percent={(readBytes / size) * 100} detail={detail} />
    )
  }
  const isUnread = checked.verdict.steps.some(
    ({ name, state }) => name === 'file' && state === 'later',
  )
  if (!isUnread || isWorking) return null
  return (
    <div>
      <Button
        variant="secondary"
        icon={<FileCheck aria-hidden="true" className="size-5" />}
        onClick={verifyFile}
      >
        Vérifier le fichier ({formatBytes(size)})
      </Button>
    </div>
  )
}

function saveProof(id: string, proof: object): void {
  const json = `${JSON.stringify(proof, null, 2)}\n`
  saveFile(new Blob([json], { type: 'application/json' }), `preuve-${id}.json`)
}
