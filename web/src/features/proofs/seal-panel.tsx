import { Download, FileCheck, ShieldCheck } from 'lucide-react'
import { isOpen } from '#contract/revelation-facts.ts'
import type { Revelation } from '#contract/revelations.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { formatShortInstant } from '#web/lib/french-dates.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { formatBytes } from '#web/lib/sizes.ts'
import { useTakenOver } from '#web/lib/use-taken-over.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { SealedVersions } from './sealed-versions.tsx'
import { useVerification } from './use-verification.ts'
import { VerdictLine, VerdictSteps } from './verdict-steps.tsx'
import { VerifierLink } from './verifier-link.tsx'

const SHOWN_DIGITS = 12

/** The seal in one line, and all that can be checked of it here, by whoever reads. */
export function SealPanel({ revelation }: { revelation: Revelation }) {
  const verification = useVerification(revelation)
  const { checked, isWorking, error } = verification
  const isTakenOver = useTakenOver()
  return (
    <Panel title="Le sceau" intro={<SealLine revelation={revelation} />} className="paper-note">
      <p className="hidden print:block">
        À vérifier sur {siteOrigin()}
        {paths.revelation(revelation.id)}
      </p>
      <div className="flex print:hidden flex-col gap-5">
        <p className="text-ink-soft">
          L’empreinte est inscrite dans un journal public. Votre navigateur peut tout recalculer
          lui-même, sans nous croire sur parole.
        </p>
        <div>
          <Button
            variant="secondary"
            icon={<ShieldCheck aria-hidden="true" className="size-5" />}
            busy={isWorking}
            busyLabel="Vérification…"
            // A tap that nobody answers would look like a seal that cannot be checked.
            disabled={!isTakenOver}
            onClick={verification.verify}
          >
            {checked ? 'Vérifier à nouveau' : 'Vérifier'}
          </Button>
        </div>
        {error !== undefined && (
          <Notice tone="error">
            {errorSentence(error, 'La vérification n’a pas pu être menée à son terme. Réessayez.')}
          </Notice>
        )}
        {checked && (
          <Suspense>
            <CheckedSeal revelation={revelation} verification={verification} checked={checked} />
          </Suspense>
        )}
      </div>
    </Panel>
  )
}

function SealLine({ revelation }: { revelation: Revelation }) {
  const { version, created_at, updated_at, time_zone, commitment } = revelation
  return (
    <>
      Scellée le <time dateTime={created_at}>{formatShortInstant(created_at, time_zone)}</time>
      {' · '}version&nbsp;{version}
      {version > 1 && (
        <>
          , modifiée le{' '}
          <time dateTime={updated_at}>{formatShortInstant(updated_at, time_zone, ownZone)}</time>
        </>
      )}
      {' · '}empreinte{' '}
      <code className="text-ink [overflow-wrap:anywhere]">
        {commitment.slice(0, SHOWN_DIGITS)}
        <span className="print:hidden">…</span>
        <span className="hidden print:inline">{commitment.slice(SHOWN_DIGITS)}</span>
      </code>
    </>
  )
}

interface FileStepProps {
  revelation: Revelation
  verification: ReturnType<typeof useVerification>
}

/** A large file is read only when somebody wants it. */
function FileStep({ revelation, verification }: FileStepProps) {
  const { checked, readBytes, isWorking, verifyFile } = verification
  const size = isOpen(revelation) ? revelation.file_size : null
  if (size === null) return null
  if (readBytes !== undefined) {
    const detail = `${formatBytes(readBytes)} sur ${formatBytes(size)}`
    return (
      <ProgressBar label="Lecture du fichier" percent={(readBytes / size) * 100} detail={detail} />
    )
  }
  const isUnread = checked?.verdict.steps.some(
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
