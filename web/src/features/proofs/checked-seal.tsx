import { Check, Clock, Download, FileCheck, X } from 'lucide-react'
import type { SealedVersion } from '#contract/proofs/proof.ts'
import { sentenceOf, titleOf, VERDICTS } from '#contract/proofs/steps-in-words.ts'
import type { Step, StepState } from '#contract/proofs/verify-proof.ts'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { formatShortInstant } from '#web/lib/dates.ts'
import { saveFile } from '#web/lib/device.ts'
import { formatBytes, formatCount } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import type { useVerification } from './use-verification.ts'
import { VerifierLink } from './verifier-link.tsx'

type Verification = ReturnType<typeof useVerification>

interface CheckedSealProps {
  revelation: Revelation
  verification: Verification
  checked: NonNullable<Verification['checked']>
}

/** The result of a verification, step by step, and the proof to download. */
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
        Le vérificateur est une page qui s’ouvre sans connexion&#8239;: donnez-lui la preuve, et le
        fichier s’il y en a un.
      </p>
    </>
  )
}

/** A large file is read only on demand. */
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

interface SealedVersionsProps {
  versions: readonly SealedVersion[]
  timeZone: string
}

function SealedVersions({ versions, timeZone }: SealedVersionsProps) {
  return (
    <ol className="flex flex-col gap-3 border-line border-l-2 pl-4">
      {versions.map(({ version, kind, sealed_at, commitment, leaf }) => (
        <li key={version} className="min-w-0 leading-snug">
          <p>
            <strong className="font-semibold">Version {version}</strong>
            {kind === 'create' ? ', scellée le ' : ', modifiée le '}
            <time dateTime={sealed_at}>{formatShortInstant(sealed_at, timeZone)}</time>
          </p>
          <p className="text-ink-soft text-sm [overflow-wrap:anywhere]">
            Empreinte <code>{commitment}</code>
          </p>
          <p className="text-ink-soft text-sm">
            {leaf === null
              ? 'Bientôt inscrite au journal'
              : `Inscription n°\u00A0${formatCount(leaf + 1)} au journal`}
          </p>
        </li>
      ))}
    </ol>
  )
}

const MARKS = {
  passed: { Icon: Check, label: 'Vérifié', className: 'bg-leaf text-on-leaf' },
  failed: { Icon: X, label: 'Ne concorde pas', className: 'bg-wax text-on-wax' },
  later: { Icon: Clock, label: 'Pas encore', className: 'bg-sunken text-ink-soft' },
} as const satisfies Record<StepState, object>

const VERDICT_INKS = {
  passed: 'text-leaf-ink',
  failed: 'text-error-ink',
  later: 'text-ink',
} as const satisfies Record<StepState, string>

/** The verdict over all steps. */
function VerdictLine({ state }: { state: StepState }) {
  const { Icon, className } = MARKS[state]
  return (
    <div className="flex items-center gap-3.5">
      <span
        className={classNames('grid size-10 shrink-0 place-items-center rounded-full', className)}
      >
        <Icon aria-hidden="true" className="size-6" strokeWidth={2.5} />
      </span>
      <p
        role="status"
        className={classNames(
          'min-w-0 font-semibold font-serif text-xl leading-snug',
          VERDICT_INKS[state],
        )}
      >
        {VERDICTS[state]}
      </p>
    </div>
  )
}

function VerdictSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="flex flex-col gap-3.5">
      {steps.map((step) => {
        const { Icon, label, className } = MARKS[step.state]
        return (
          <li key={step.name} className="flex gap-3">
            <span
              className={classNames(
                'mt-0.5 grid size-6 shrink-0 place-items-center rounded-full',
                className,
              )}
            >
              <Icon aria-hidden="true" className="size-4" strokeWidth={2.5} />
              <span className="sr-only">{label}&#8239;: </span>
            </span>
            <div className="min-w-0 leading-snug">
              <p className="font-semibold">{titleOf(step.name)}</p>
              <p className="text-ink-soft">{sentenceOf(step)}</p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
